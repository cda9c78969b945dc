import type { Channel } from '#contract/channels'
import type { Message } from '#contract/messages'
import { titleOf } from '../../features/channels/cache/channel-title.ts'
import { PinnedMessages } from '../../features/messages/pins/pinned-messages.tsx'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { paths } from '../../paths.ts'
import { roomBeside } from '../../ui/device/media.ts'
import { SidePanel } from '../../ui/dialog/side-panel.tsx'

interface Props {
  channelId: string
  channel: Channel | undefined
  /** Whether the list takes the focus: it was opened, not restored with the page. */
  takesFocus: boolean
  onClose: () => void
}

/** The pinned messages beside their channel. Lazy-loaded. */
export default function OpenPins({ channelId, channel, takesFocus, onClose }: Props) {
  const me = useMe()
  // Where the panel lies over the conversation, it closes, except for a reply, whose thread lies over the panel.
  const linkTo = ({ id, threadId }: Message) =>
    threadId || roomBeside().matches
      ? `${paths.pins(channelId)}&message=${id}`
      : `${paths.channel(channelId)}?message=${id}`
  return (
    <SidePanel
      title={t('messages.pins.title')}
      of={channel && titleOf(channel, me.id)}
      closeName={t('messages.pins.close')}
      onClose={onClose}
    >
      <PinnedMessages channelId={channelId} channel={channel} takesFocus={takesFocus} linkTo={linkTo} />
    </SidePanel>
  )
}
