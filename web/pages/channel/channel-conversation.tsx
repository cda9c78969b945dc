import { useState } from 'react'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import type { ChannelAct } from '../../features/channels/menu/channel-menu.tsx'
import { useReading } from '../../features/channels/reading/use-reading.ts'
import { Composer } from '../../features/messages/composer/composer.tsx'
import { ComposerSkeleton } from '../../features/messages/composer/composer-skeleton.tsx'
import { DropToAttach } from '../../features/messages/composer/drop-to-attach.tsx'
import { MessagePane } from '../../features/messages/list/message-pane.tsx'
import { useMe } from '../../me.tsx'
import { Lazy } from '../../ui/lazy/lazy.tsx'
import { beginning, joinBar, welcomeCard } from './lazy-parts.ts'

interface Props {
  channelId: string
  channel: Channel | undefined
  /** Whether the channel could not be loaded. */
  isUnknown: boolean
  /** Whether the channel appeared while the user was already on the page. */
  isLate: boolean
  /** Whether the user was sent back here: the composer does not focus itself then. */
  isBack: boolean
  onAct: (act: ChannelAct, channelId: string) => void
}

/** The messages of a channel and its composer. Give it the channel as a key. */
export function ChannelConversation({ channelId, channel, isUnknown, isLate, isBack, onAct }: Props) {
  const me = useMe()
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
        beginning={
          channel && (
            <Lazy load={beginning} waiting={<div className="h-46" />} isOptional channel={channel} onAct={onAct} />
          )
        }
        onSeen={onSeen}
        markUnread={markUnread}
        onRead={markRead}
      />
      {me.isWelcomed === false && channel?.isMember !== false && (
        <Lazy load={welcomeCard} waiting={<div className="welcome-place" />} isOptional channelId={channelId} />
      )}
      {(channel || !isUnknown) && <ComposerOrJoinBar channel={channel} isLate={isVisitor} isBack={isBack} />}
    </DropToAttach>
  )
}

/** The composer; for visitors who are not members, a bar to join. */
function ComposerOrJoinBar({ channel, isLate, isBack }: Pick<Props, 'channel' | 'isLate' | 'isBack'>) {
  if (!channel) return <ComposerSkeleton />
  if (can.writeIn(channel)) return <Composer channel={channel} isLate={isLate} isBack={isBack} />
  return <Lazy load={joinBar} waiting={<ComposerSkeleton />} channel={channel} />
}
