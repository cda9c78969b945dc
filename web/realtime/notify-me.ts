import type { QueryClient } from '@tanstack/react-query'
import type { Channel } from '#contract/channels'
import type { Message } from '#contract/messages'
import { placeIn, splitQuotes } from '#contract/quotes'
import { meansMe } from '../cache/my-groups.ts'
import { cachedChannel } from '../features/channels/cache/channel-cache.ts'
import { titleOf } from '../features/channels/cache/channel-title.ts'
import { isStreaming } from '../features/messages/sync/answer-progress.ts'
import { quotedMessage } from '../features/messages/sync/quoted-messages.ts'
import { notify } from '../features/notifications/notification-bus.ts'
import { isConversationOnScreen } from '../features/notifications/on-screen.ts'
import { myThreads } from '../features/threads/thread-queries.ts'
import { t } from '../i18n/text.ts'
import { paths } from '../paths.ts'
import { isQuiet } from '../people/user-queries.ts'

/**
 * Notifies of a new message that mentions me, a group of mine or everyone, or is a direct message. Never of my own messages
 * or in muted channels; of a reply only in a thread that I follow. Resolves to whether it notified.
 */
export async function notifyMe(client: QueryClient, message: Message, me: string): Promise<boolean> {
  const { id, channelId, threadId, userId, seq, content, mentions, broadcast } = message
  const channel = cachedChannel(client, channelId)
  if (userId === me || !channel?.isMember || channel.muted || isStreaming(message) || isQuiet(client, me)) return false
  const isMentioned = mentions.some((mention) => mention.userId === me)
  const isToMany = broadcast !== null || mentions.some((mention) => meansMe(mention, me))
  if (!isMentioned && !isToMany && channel.kind !== 'direct') return false
  // A mention by name makes its user follow the thread.
  if (threadId !== null && !isMentioned && !(await follows(client, threadId))) return false
  const shown = await shownText(client, message)
  if (shown === undefined && !isToMany) return false
  const title = titleFor(message, channel, me)
  const isRead = () => (cursorOf(client, message)?.lastReadSeq ?? 0) >= seq
  const address = `${paths.channel(channelId)}?message=${id}`
  const isOnScreen = () => isConversationOnScreen({ channelId, threadId })
  notify({ id, address, authorId: userId, title, content: shown ?? content, isRead, isOnScreen })
  return true
}

/**
 * What a message says: if it only quotes another, what that says. Undefined for a reply that was also sent to the channel, if
 * the reply has notified me already.
 */
async function shownText(client: QueryClient, { userId, channelId, content }: Message): Promise<string | undefined> {
  const { quotes, rest } = splitQuotes(content)
  const place = rest === '' && quotes.length === 1 ? placeIn(quotes[0] ?? '') : undefined
  if (!place) return content
  const quoted = await client.fetchQuery(quotedMessage(place.messageId)).catch(() => null)
  if (!quoted || quoted.deletedAt) return content
  const isAlsoSent = quoted.threadId !== null && quoted.userId === userId && quoted.channelId === channelId
  if (isAlsoSent && quoted.threadId !== null && (await follows(client, quoted.threadId))) return undefined
  return quoted.content || content
}

async function follows(client: QueryClient, threadId: string) {
  try {
    const threads = await client.fetchQuery(myThreads)
    return threads.some((thread) => thread.threadId === threadId)
  } catch (error) {
    console.error('Failed to load the followed threads:', error)
    return false
  }
}

const cursorOf = (client: QueryClient, { channelId, threadId }: Message) =>
  threadId === null
    ? cachedChannel(client, channelId)
    : client.getQueryData(myThreads.queryKey)?.find((thread) => thread.threadId === threadId)

/** The author, and where: 'Bob Kahn in #launch'; only the author in a direct message to me alone. */
function titleFor({ user, threadId }: Message, channel: Channel, me: string) {
  const isPair = channel.kind === 'direct' && channel.members.length <= 2
  const { name } = user
  if (isPair) return threadId === null ? name : t('notifications.titleThread', { name })
  const values = { name, place: titleOf(channel, me) }
  return threadId === null ? t('notifications.titleIn', values) : t('notifications.titleInThread', values)
}
