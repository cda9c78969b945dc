import type { QueryClient } from '@tanstack/react-query'
import type { Channel } from '#contract/channels'
import type { Message } from '#contract/messages'
import { decideNotification, levelOf, type NotificationFacts, type NotifyingRule } from '#contract/notification-rule'
import { placeIn, splitQuotes } from '#contract/quotes'
import { keywordIn, meansMe } from '../cache/means-me.ts'
import { cachedChannel } from '../features/channels/cache/channel-cache.ts'
import { titleOf } from '../features/channels/cache/channel-title.ts'
import { isStreaming } from '../features/messages/sync/answer-progress.ts'
import { quotedMessage } from '../features/messages/sync/quoted-messages.ts'
import { notify, notifyRead } from '../features/notifications/notification-bus.ts'
import { isConversationOnScreen } from '../features/notifications/on-screen.ts'
import { isFollowed } from '../features/threads/thread-list.ts'
import { myThreads, threadCursor } from '../features/threads/thread-queries.ts'
import { type TextId, t } from '../i18n/text.ts'
import { paths } from '../paths.ts'
import { asMeant } from '../people/user-queries.ts'
import { sessionLevel } from '../session/session.ts'
import { amQuiet } from './my-quietness.ts'

/** Why a notification appears, at its end. A direct message needs no reason. */
const reasons = {
  direct: undefined,
  mention: 'notifications.reason.mention',
  group: 'notifications.reason.group',
  keyword: 'notifications.reason.keyword',
  everyone: 'notifications.reason.everyone',
  thread: 'notifications.reason.thread',
  everything: 'notifications.reason.everything',
} as const satisfies Record<NotifyingRule, TextId | undefined>

/** Whether replies notified me, by id: one that was also sent to the channel does so once. */
const replies = new Map<string, Promise<boolean>>()
/** The copy in the channel arrives right after the reply. */
const MAX_REPLIES = 100

/** How long requests are spread: a message that isn't meant for me alone may cause one of each member. */
const SPREAD_MS = 1000

/** Notifies of a new message if the rule says so. Resolves to whether it did. */
export function notifyMe(client: QueryClient, message: Message, me: string): Promise<boolean> {
  const told = tell(client, message, me)
  if (message.threadId === null) return told
  replies.set(message.id, told)
  const [oldest] = replies.keys()
  if (oldest !== undefined && replies.size > MAX_REPLIES) replies.delete(oldest)
  return told
}

async function tell(client: QueryClient, message: Message, me: string): Promise<boolean> {
  const { id, channelId, threadId, userId, seq } = message
  const channel = cachedChannel(client, channelId)
  if (!channel || isStreaming(message)) return false
  const rule = await notifyingRule(client, message, channel, me)
  if (!rule) return false
  const shown = await shownText(client, message, channel, me)
  if (shown === undefined) return false
  const title = titleFor(message, channel, me)
  const isRead = () => (readCursor(client, message)?.lastReadSeq ?? 0) >= seq
  const address = `${paths.channel(channelId)}?message=${id}`
  const isOnScreen = () => isConversationOnScreen({ channelId, threadId })
  const keyword = rule === 'keyword' ? keywordIn(message) : undefined
  const reason = reasons[rule] && t(reasons[rule], { word: keyword ?? '' })
  const offer = (why: string) =>
    import('./offer-change.ts')
      .then(({ offerChange }) => offerChange(client, { rule, reason: why, keyword, channelId, threadId }, me))
      .catch((error) => console.error('Failed to offer a change of what notifies me:', error))
  const onOpened = reason === undefined ? undefined : () => void offer(reason)
  notify({ id, address, authorId: userId, title, content: shown, reason, isRead, isOnScreen, onOpened })
  return true
}

/** Why a message notifies me; undefined if it doesn't. */
async function notifyingRule(client: QueryClient, message: Message, channel: Channel, me: string) {
  const { threadId, userId } = message
  const mention = mentionOf(asMeant(client, message, me), me)
  const facts = {
    isOwn: userId === me,
    isMember: channel.isMember,
    isDirect: channel.kind === 'direct',
    isReply: threadId !== null,
    followsThread: true,
    mention,
    isMuted: channel.muted ?? false,
    level: levelOf(channel, sessionLevel()),
    isQuiet: false,
  }
  const { effect, rule } = decideNotification(facts)
  // What follows is looked up only if it matters.
  if (effect !== 'notify') return undefined
  // A mention by name makes its user follow the thread.
  if (threadId !== null && mention !== 'name' && !(await follows(client, message))) return undefined
  const isPersonal = rule === 'direct' || rule === 'mention'
  const isQuiet = await amQuiet(client, isPersonal ? 0 : SPREAD_MS)
  return decideNotification({ ...facts, isQuiet }).effect === 'notify' ? rule : undefined
}

function mentionOf(
  message: Pick<Message, 'userId' | 'content' | 'mentions' | 'broadcast'>,
  me: string,
): NotificationFacts['mention'] {
  const mine = message.mentions.filter((mention) => meansMe(mention, me))
  if (mine.some(({ isGroup }) => !isGroup)) return 'name'
  if (mine.length > 0) return 'group'
  if (keywordIn(message) !== undefined) return 'keyword'
  return message.broadcast === null ? null : 'everyone'
}

/**
 * What a message says: if it only quotes another, what that says. Undefined for a reply that was also sent to the channel, if
 * the reply has notified me already.
 */
async function shownText(
  client: QueryClient,
  { userId, channelId, content }: Message,
  channel: Channel,
  me: string,
): Promise<string | undefined> {
  const { quotes, rest } = splitQuotes(content)
  const place = rest === '' && quotes.length === 1 ? placeIn(quotes[0] ?? '') : undefined
  if (!place) return content
  const quoted = await client.fetchQuery(quotedMessage(place.messageId)).catch(() => null)
  if (!quoted || quoted.deletedAt) return content
  const isAlsoSent = quoted.threadId !== null && quoted.userId === userId && quoted.channelId === channelId
  if (isAlsoSent && (await (replies.get(quoted.id) ?? notifyingRule(client, quoted, channel, me)))) return undefined
  return quoted.content || content
}

async function follows(client: QueryClient, { threadId, seq }: Message) {
  try {
    return threadId !== null && (await isFollowed(client, { threadId, seq }))
  } catch (error) {
    console.error('Failed to find out whether a thread is followed:', error)
    return false
  }
}

/** Closes notifications of what was read, here or on another device. */
export const closeRead = (client: QueryClient) =>
  notifyRead((place) => (readCursor(client, place)?.lastReadSeq ?? 0) >= place.seq)

const readCursor = (client: QueryClient, { channelId, threadId }: Pick<Message, 'channelId' | 'threadId'>) =>
  threadId === null
    ? cachedChannel(client, channelId)
    : (client.getQueryData(myThreads.queryKey)?.find((thread) => thread.threadId === threadId) ??
      client.getQueryData(threadCursor(threadId).queryKey))

/** The author, and where: 'Bob Kahn in #launch'; only the author in a direct message to me alone. */
function titleFor({ user, threadId }: Message, channel: Channel, me: string) {
  const isPair = channel.kind === 'direct' && channel.members.length <= 2
  const { name } = user
  if (isPair) return threadId === null ? name : t('notifications.titleThread', { name })
  const values = { name, place: titleOf(channel, me) }
  return threadId === null ? t('notifications.titleIn', values) : t('notifications.titleInThread', values)
}
