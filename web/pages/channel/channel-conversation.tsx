import { useState } from 'react'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import { useIsUnconfirmed } from '../../browser/unconfirmed.ts'
import { silenceIn } from '../../features/channels/cache/voice.ts'
import type { ChannelAct } from '../../features/channels/menu/channel-menu.tsx'
import { useReading } from '../../features/channels/reading/use-reading.ts'
import { Composer } from '../../features/messages/composer/composer.tsx'
import { ComposerSkeleton } from '../../features/messages/composer/composer-skeleton.tsx'
import { DropToAttach } from '../../features/messages/composer/drop-to-attach.tsx'
import { MessagePane } from '../../features/messages/list/message-pane.tsx'
import { useMe } from '../../me.tsx'
import { Lazy } from '../../ui/lazy/lazy.tsx'
import { isInUse } from './in-use.ts'
import { beginning, joinBar, silentBar, welcomeCard } from './lazy-parts.ts'
import { isWelcomePlace } from './welcome-place.ts'

interface Props {
  channelId: string
  channel: Channel | undefined
  /** Whether the channel could not be loaded. */
  isUnknown: boolean
  /** Whether the channel appeared while the user was already on the page. */
  isLate: boolean
  /** Whether the user was redirected back here; the composer then does not focus itself. */
  isBack: boolean
  onAct: (act: ChannelAct, channelId: string) => void
}

/** The messages of a channel and its composer. Give it the channel as a key. */
export function ChannelConversation({ channelId, channel, isUnknown, isLate, isBack, onAct }: Props) {
  const me = useMe()
  const { onSeen, markUnread, markRead } = useReading(channel)
  const isMember = channel !== undefined && can.writeIn(channel)
  const canWrite = isMember && !silenceIn(channel, me)
  const [isVisitor, setVisitor] = useState(isLate)
  if (channel && !isMember && !isVisitor) setVisitor(true)
  const isNewcomer = me.isWelcomed === false
  // The card then goes by itself, without moving what is read.
  const [wasNewcomer, setNewcomer] = useState(isNewcomer)
  if (isNewcomer && !wasNewcomer) setNewcomer(true)
  const { isUnconfirmed, opening } = useOpening(channel?.unread)
  return (
    <DropToAttach to={canWrite ? { channelId, threadId: null } : undefined}>
      <MessagePane
        key={opening}
        channelId={channelId}
        channel={channel}
        isUnknown={isUnknown}
        beginning={
          channel && (
            <Lazy load={beginning} waiting={<div className="h-46" />} isOptional channel={channel} onAct={onAct} />
          )
        }
        onSeen={isUnconfirmed ? ignoreSeen : onSeen}
        markUnread={markUnread}
        onRead={markRead}
      />
      {wasNewcomer && (channel?.isGeneral ?? isWelcomePlace(channelId)) && (
        <Lazy load={welcomeCard} waiting={<div className="welcome-place" />} isOptional channelId={channelId} />
      )}
      {(channel || !isUnknown) && <ComposerOrJoinBar channel={channel} isLate={isVisitor} isBack={isBack} />}
    </DropToAttach>
  )
}

/** Used while it is unknown what is unread. */
const ignoreSeen = () => {}

/**
 * Reopens a conversation from the device cache at the first unread message if something has arrived since.
 * Until the server has answered, nothing counts as read.
 */
function useOpening(unread: number | undefined) {
  const isUnconfirmed = useIsUnconfirmed()
  const [wasUnconfirmed, setUnconfirmed] = useState(isUnconfirmed)
  const [opening, setOpening] = useState(1)
  if (wasUnconfirmed !== isUnconfirmed) {
    setUnconfirmed(isUnconfirmed)
    if (wasUnconfirmed && unread && !isInUse()) setOpening(opening + 1)
  }
  return { isUnconfirmed, opening }
}

/** The composer, or why there is none, or a bar to join for visitors who are not members. */
function ComposerOrJoinBar({ channel, isLate, isBack }: Pick<Props, 'channel' | 'isLate' | 'isBack'>) {
  const me = useMe()
  const [, setOver] = useState(0)
  if (!channel) return <ComposerSkeleton />
  const why = channel.archivedAt || can.writeIn(channel) ? silenceIn(channel, me) : undefined
  const over = () => setOver((count) => count + 1)
  if (why) return <Lazy load={silentBar} waiting={<ComposerSkeleton />} channel={channel} why={why} onOver={over} />
  if (can.writeIn(channel)) return <Composer channel={channel} isLate={isLate} isBack={isBack} />
  return <Lazy load={joinBar} waiting={<ComposerSkeleton />} channel={channel} />
}
