import type { QueryClient } from '@tanstack/react-query'
import type { Channel } from '#contract/channels'
import type { Message } from '#contract/messages'
import { cachedChannel } from '../features/channels/cache/channel-cache.ts'
import { titleOf } from '../features/channels/cache/channel-title.ts'
import { isStreaming } from '../features/messages/sync/answer-progress.ts'
import { notify } from '../features/notifications/notification-bus.ts'
import { myThreads } from '../features/threads/thread-list.ts'

/**
 * Tells of a message that was said just now, where it calls me: by my name, by all who are meant, or because it was
 * said to me directly. What I say myself calls me never, nor does a muted channel; a reply only in a thread I follow.
 * Answers whether it called me.
 */
export async function notifyMe(client: QueryClient, message: Message, me: string): Promise<boolean> {
  const { id, channelId, threadId, userId, seq, content, mentions, broadcast } = message
  const channel = cachedChannel(client, channelId)
  if (userId === me || !channel?.isMember || channel.muted || isStreaming(message)) return false
  const isNamed = mentions.some((mention) => mention.userId === me)
  if (!isNamed && !broadcast && channel.kind !== 'direct') return false
  // Whoever is named follows from then on.
  if (threadId !== null && !isNamed && !(await follows(client, threadId))) return false
  const title = titleFor(message, channel, me)
  const isRead = () => (cursorOf(client, message)?.lastReadSeq ?? 0) >= seq
  notify({ id, channelId, threadId, title, content, isRead })
  return true
}

async function follows(client: QueryClient, threadId: string) {
  try {
    const threads = await client.fetchQuery(myThreads)
    return threads.some((thread) => thread.threadId === threadId)
  } catch (error) {
    console.error('Could not ask which threads are followed:', error)
    return false
  }
}

const cursorOf = (client: QueryClient, { channelId, threadId }: Message) =>
  threadId === null
    ? cachedChannel(client, channelId)
    : client.getQueryData(myThreads.queryKey)?.find((thread) => thread.threadId === threadId)

/** Who, and where: 'Bob Kahn in #launch'; of what was said to me alone, only who. */
function titleFor({ user, threadId }: Message, channel: Channel, me: string) {
  const isMine = channel.kind === 'direct' && channel.members.length <= 2
  const place = isMine ? '' : ` in ${titleOf(channel, me)}`
  return `${user.name}${place}${threadId === null ? '' : ' (thread)'}`
}
