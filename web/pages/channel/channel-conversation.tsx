import { useState } from 'react'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import { useReading } from '../../features/channels/reading/use-reading.ts'
import { Composer } from '../../features/messages/composer/composer.tsx'
import { ComposerSkeleton } from '../../features/messages/composer/composer-skeleton.tsx'
import { DropToAttach } from '../../features/messages/composer/drop-to-attach.tsx'
import { MessagePane } from '../../features/messages/list/message-pane.tsx'
import { Lazy } from '../../ui/lazy/lazy.tsx'

const joinBar = () => import('../../features/channels/header/join-bar.tsx')

interface Props {
  channelId: string
  channel: Channel | undefined
  /** Whether nothing will be known of the channel. */
  isUnknown: boolean
  /** Whether its reader was here before it. */
  isLate: boolean
  /** Whether its reader was led back to it: its box does not take the focus by itself. */
  isBack: boolean
}

/** What was said in one channel and the box to say more: opened anew with each channel that is gone to. */
export function ChannelConversation({ channelId, channel, isUnknown, isLate, isBack }: Props) {
  const { onSeen, markUnread, markRead } = useReading(channel)
  const canWrite = channel !== undefined && can.writeIn(channel)
  const [isVisitor, setVisitor] = useState(isLate)
  if (channel && !canWrite && !isVisitor) setVisitor(true)
  return (
    <DropToAttach to={canWrite ? { channelId, threadId: null } : undefined}>
      <MessagePane
        channelId={channelId}
        channel={channel}
        isUnknown={isUnknown}
        onSeen={onSeen}
        markUnread={markUnread}
        onRead={markRead}
      />
      {(channel || !isUnknown) && <WriteBox channel={channel} isLate={isVisitor} isBack={isBack} />}
    </DropToAttach>
  )
}

/** The composer; for a reader who is no member, the way to become one. */
function WriteBox({ channel, isLate, isBack }: Pick<Props, 'channel' | 'isLate' | 'isBack'>) {
  if (!channel) return <ComposerSkeleton />
  if (can.writeIn(channel)) return <Composer channel={channel} isLate={isLate} isBack={isBack} />
  return <Lazy load={joinBar} waiting={<ComposerSkeleton />} channel={channel} />
}
