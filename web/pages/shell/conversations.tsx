import { PenLine, Plus } from 'lucide-react'
import { useCallback } from 'react'
import { ChannelDialogs, useChannelDialogs } from '../../features/channels/dialogs/channel-dialogs.tsx'
import { ChannelList } from '../../features/channels/sidebar/channel-list.tsx'
import { DirectList } from '../../features/channels/sidebar/direct-list.tsx'
import { FavoriteList } from '../../features/channels/sidebar/favorite-list.tsx'
import { useDraft } from '../../features/messages/outbox/current-drafts.ts'
import { t } from '../../i18n/text.ts'
import { DialogButton } from '../../ui/dialog/dialog-button.tsx'

/** The lists of the sidebar, and their dialogs. */
export function Conversations() {
  const dialogs = useChannelDialogs()
  const renderMark = useCallback((channelId: string) => <DraftMark channelId={channelId} />, [])
  return (
    <>
      <FavoriteList renderMark={renderMark} onAct={dialogs.open} />
      <ChannelList renderMark={renderMark} onAct={dialogs.open} />
      <DirectList
        add={
          <DialogButton
            name={t('channels.newDirect')}
            className="h-6 w-6"
            load={() => import('../../features/channels/dialogs/new-direct-dialog.tsx')}
          >
            <Plus size={16} />
          </DialogButton>
        }
        renderMark={renderMark}
        onAct={dialogs.open}
      />
      <ChannelDialogs request={dialogs.request} close={dialogs.close} />
    </>
  )
}

/** A pencil if the channel has a draft, but not in the row of the open channel, where its text is on screen. */
function DraftMark({ channelId }: { channelId: string }) {
  const { text } = useDraft(channelId)
  return (
    text.trim() !== '' && (
      <PenLine size={16} aria-label={t('drafts.mark')} className="group-aria-[current=page]:hidden" />
    )
  )
}
