import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import { titleOf } from '../../features/channels/cache/channel-title.ts'
import { silenceIn } from '../../features/channels/cache/voice.ts'
import JoinBar from '../../features/channels/header/join-bar.tsx'
import SilentBar from '../../features/channels/header/silent-bar.tsx'
import { Composer } from '../../features/messages/composer/composer.tsx'
import { ComposerSkeleton } from '../../features/messages/composer/composer-skeleton.tsx'
import { messagesIn } from '../../features/messages/sync/message-queries.ts'
import { ThreadPanel } from '../../features/messages/thread/thread-panel.tsx'
import { FollowButton } from '../../features/threads/follow-button.tsx'
import { useReadThread, useThreadCursor } from '../../features/threads/thread-cursor.ts'
import { useMe } from '../../me.tsx'

interface Props {
  channelId: string
  channel: Channel | undefined
  threadId: string
  onClose: () => void
}

/** The thread beside its channel. Lazy-loaded. */
export default function OpenThread({ channelId, channel, threadId, onClose }: Props) {
  const thread = { channelId, threadId }
  const cursor = useThreadCursor(threadId)
  const onSeen = useReadThread(thread, cursor)
  const me = useMe()
  const isMember = channel && can.writeIn(channel)
  const [isVisitor, setVisitor] = useState(false)
  if (channel && !isMember && !isVisitor) setVisitor(true)
  return (
    <ThreadPanel
      {...thread}
      channel={channel}
      of={channel && titleOf(channel, me.id)}
      cursor={cursor?.isFollowing ? cursor : undefined}
      onClose={onClose}
      onSeen={onSeen}
      action={isMember && <FollowButton {...thread} />}
      composer={<ComposerOrJoinBar channel={channel} threadId={threadId} isLate={isVisitor} />}
    />
  )
}

/** The composer, or a bar to join for visitors who are not members. */
function ComposerOrJoinBar({ channel, threadId, isLate }: Pick<Props, 'channel' | 'threadId'> & { isLate: boolean }) {
  const me = useMe()
  const [, setOver] = useState(0)
  const isDeleted = useIsDeleted(channel?.id ?? '', threadId)
  if (!channel) return <ComposerSkeleton />
  const silence = channel.archivedAt || can.writeIn(channel) ? silenceIn(channel, me, true) : undefined
  const why = silence ?? (isDeleted ? 'deleted' : undefined)
  if (why) return <SilentBar channel={channel} why={why} onOver={() => setOver((count) => count + 1)} />
  if (can.writeIn(channel)) return <Composer channel={channel} threadId={threadId} isLate={isLate} />
  return <JoinBar channel={channel} />
}

/** Whether a thread's parent was deleted before anybody replied, as the panel has loaded it. */
function useIsDeleted(channelId: string, threadId: string) {
  const { data = false } = useQuery({
    ...messagesIn(channelId, threadId),
    enabled: false,
    select: ({ parent }) => parent !== undefined && parent.deletedAt !== null && parent.lastReplyAt === null,
  })
  return data
}
