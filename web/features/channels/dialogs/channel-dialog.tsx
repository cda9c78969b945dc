import { LazyDialog } from '../../../ui/lazy/lazy-dialog.tsx'
import { useChannel } from '../cache/use-channel.ts'
import type { ChannelAct } from '../menu/channel-menu.tsx'
import { useGoToDashboard } from '../menu/use-go-to-dashboard.ts'

/** Which dialog to open for which channel. */
export interface ChannelDialogRequest {
  act: ChannelAct
  channelId: string
}

/** One of the dialogs of a channel. It disappears if the channel ends. Lazy-loaded. */
export default function ChannelDialog({ act, channelId, onClose }: ChannelDialogRequest & { onClose: () => void }) {
  const { channel } = useChannel(channelId)
  const goToDashboard = useGoToDashboard()
  if (!channel) return null
  const props = { channel, onClose }
  switch (act) {
    case 'join':
      return <LazyDialog key={act} {...props} load={() => import('./join-now.tsx')} />
    case 'members':
      return <LazyDialog key={act} {...props} load={() => import('./members-dialog.tsx')} />
    case 'invite':
      return <LazyDialog key={act} {...props} load={() => import('./invite-dialog.tsx')} />
    case 'edit':
    case 'topic':
      return (
        <LazyDialog
          key={act}
          {...props}
          startsAtTopic={act === 'topic'}
          load={() => import('./edit-channel-dialog.tsx')}
        />
      )
    case 'notifications':
      return <LazyDialog key={act} {...props} load={() => import('./notifications-dialog.tsx')} />
    case 'archive':
      return <LazyDialog key={act} {...props} load={() => import('./archive-channel-dialog.tsx')} />
    default:
      return (
        <LazyDialog
          key={act}
          {...props}
          ending={act}
          onEnded={goToDashboard}
          load={() => import('./end-channel-dialog.tsx')}
        />
      )
  }
}
