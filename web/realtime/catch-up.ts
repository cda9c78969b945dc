import { onlineManager, type Query, type QueryClient } from '@tanstack/react-query'
import type { Channel } from '#contract/channels'
import { limits } from '#contract/limits'
import { listMessages, type Message } from '#contract/messages'
import { levelOf } from '#contract/notification-rule'
import { retryDelay } from '#contract/retry-delay'
import { type FollowedThread, listThread } from '#contract/threads'
import { call, isRefusal } from '../api-client/api.ts'
import { confirm, isUnconfirmed } from '../browser/unconfirmed.ts'
import { refetch } from '../cache/patch-query.ts'
import { allChannels } from '../features/channels/cache/channel-queries.ts'
import { catchUpChannels } from '../features/channels/cache/compare-channels.ts'
import { notificationCount } from '../features/channels/cache/unread.ts'
import { isWindow } from '../features/messages/sync/message-queries.ts'
import { myThreads } from '../features/threads/thread-queries.ts'
import { sessionLevel } from '../session/session.ts'
import { isFromShell } from '../ui/device/device-cache.ts'
import { checkForNewVersion } from './new-version.ts'
import { closeRead, notifyMe } from './notify-me.ts'

/** The delays before failed queries are fetched again. */
const RETRY = { firstMs: 15_000, maxMs: 60_000 }
/** The sidebar shows the rest. */
const MAX_NOTIFIED = 5
/** At most this many pages of a conversation are searched for a message to notify of. */
const MAX_PAGES = 10
/**
 * The delay of the check for a new version, so that notifications come first and pages do not all reload at once.
 */
const VERSION_CHECK_DELAY_MS = 5000
const VERSION_CHECK_JITTER_MS = 20_000

/** How many messages of a channel or thread may notify me, and its cursor. */
interface NotificationCount {
  channelId: string
  threadId: string | null
  count: number
  seq: number
  lastReadSeq: number
}

export type CatchUp = ReturnType<typeof createCatchUp>

/**
 * Catches up after each connection, when it is unknown what was missed. Message windows catch up by their revisions. All other
 * active queries are refetched until they succeed; those with `isAskedOnce` in their `meta` only if they failed. Then it
 * closes notifications of what was read meanwhile, and notifies of missed messages. The first connection refetches only changed channels, because they were just fetched.
 */
export function createCatchUp(client: QueryClient, me: string) {
  let versionCheck: ReturnType<typeof setTimeout> | undefined
  let runs = 0
  /** The counts when the connection was lost, kept until the notifications of missed messages. */
  let before: ReturnType<typeof notificationCounts> | undefined

  /** @param now the server's versions, from the 'ready' event */
  async function run(now: { epoch: string; peopleVersion: number }) {
    const current = ++runs
    // The browser may still think it is offline, and would pause all requests.
    onlineManager.setOnline(true)
    const isFirst = current === 1
    // Data from the device cache is of an earlier visit: newer messages are only shown as unread, as on any first page.
    if (!isUnconfirmed()) before ??= notificationCounts(client)
    const since = before
    // Queries that start from now on are current; those just refused remain refused.
    const isOld = (query: Query) => isRefetched(query) && isActive(query) && !(isFirst && isRefused(query))
    const old = new Set(client.getQueryCache().findAll({ predicate: isOld }))
    const refetchOld = (matches: (query: Query) => boolean) =>
      refetch(client, { predicate: (query) => old.has(query) && matches(query) })
    const others = refetchOld((query) => !isOfChannels(query) && !isOfThreads(query))
    void others.then(() => retryUntilFetched(current, (query) => !hasNotificationCounts(query)))
    const threads = refetchOld(isOfThreads)
    if (!isFirst || !(await catchUpChannels(client, me, now))) await refetch(client, { predicate: isOfChannels })
    if (client.getQueryState(allChannels.queryKey)?.isInvalidated !== true) confirm('channels')
    await threads
    // Other failing queries do not delay notifications.
    await retryUntilFetched(current, hasNotificationCounts)
    if (current !== runs) return
    confirm('channels')
    closeRead(client)
    if (since) await notifyMissed(client, me, since)
    if (current !== runs) return
    before = undefined
    // At the first connection the page was just loaded, unless it is a stored one.
    if (!isFirst || isFromShell)
      versionCheck = setTimeout(checkForNewVersion, VERSION_CHECK_DELAY_MS + Math.random() * VERSION_CHECK_JITTER_MS)
  }

  /** Compares the channels from the device cache, of these versions, while there is no connection. */
  async function confirmKept(versions: { epoch: string; peopleVersion: number }) {
    const current = runs
    const isCurrent = () => current === runs
    if (!(await catchUpChannels(client, me, versions, isCurrent)) && isCurrent()) {
      await refetch(client, { predicate: isOfChannels })
      await retryUntilFetched(current, isOfChannels)
    }
    if (!isCurrent()) return
    confirm('channels')
    closeRead(client)
  }

  /** Fetches active queries that failed, until they succeed or another run begins. */
  async function retryUntilFetched(current: number, matches: (query: Query) => boolean) {
    const isRetried = (query: Query) => matches(query) && hasFailed(query)
    let failures = 0
    while (current === runs && client.getQueryCache().findAll({ type: 'active', predicate: isRetried }).length > 0) {
      await new Promise((resolve) => setTimeout(resolve, retryDelay(++failures, RETRY)))
      if (current !== runs) return
      await client.refetchQueries({ type: 'active', predicate: isRetried }, { cancelRefetch: false })
    }
  }

  /** Call when the connection is lost: a page that reloaded now would not know what it missed. */
  function pause() {
    clearTimeout(versionCheck)
  }

  function end() {
    runs++
    clearTimeout(versionCheck)
  }
  return { run, confirmKept, pause, end }
}

const isRefetched = (query: Query) => !(isWindow(query) || isAskedOnce(query)) || query.state.status === 'error'

/** Queries whose data the page only needs as of when it was loaded. */
const isAskedOnce = ({ meta }: Query) => meta?.['isAskedOnce'] === true

const isActive = ({ state: { status, fetchStatus } }: Query) => status !== 'pending' || fetchStatus !== 'idle'

/** The list of channels, and single channels; not their content. */
const isOfChannels = ({ queryKey: [first, , third] }: Query) =>
  first === 'channels' || (first === 'channel' && third === 'facts')

const isOfThreads = ({ queryKey: [first] }: Query) => first === 'threads'

/** The lists with notification counts. */
const hasNotificationCounts = ({ queryKey: [first] }: Query) => first === 'channels' || first === 'threads'

const isRefused = ({ state: { error } }: Query) => error !== null && isRefusal(error)

const hasFailed = (query: Query) => (query.state.status === 'error' || query.state.isInvalidated) && !isRefused(query)

/** Whether nothing in a channel notifies me. */
const isSilent = (channel: Channel) => channel.muted === true || levelOf(channel, sessionLevel()) === 'nothing'

/** How many unread messages of a channel may notify me. */
function countOf(channel: Channel) {
  if (isSilent(channel)) return 0
  return levelOf(channel, sessionLevel()) === 'everything' ? (channel.unread ?? 0) : notificationCount(channel)
}

/** Notification counts by the id of the channel or thread; undefined while the list was never fetched. */
function notificationCounts(client: QueryClient) {
  const channels = client.getQueryData(allChannels.queryKey)
  const threads = client.getQueryData(myThreads.queryKey)
  const inChannel = (channel: Channel): [string, NotificationCount] => {
    const { id, seq, lastReadSeq = seq } = channel
    return [id, { channelId: id, threadId: null, count: countOf(channel), seq, lastReadSeq }]
  }
  const inThread = ({ threadId, parent, lastReadSeq, unread }: FollowedThread): [string, NotificationCount] => {
    const { channelId } = parent
    const channel = channels?.[channelId]
    const count = channel && isSilent(channel) ? 0 : unread
    return [threadId, { channelId, threadId, count, seq: lastReadSeq + unread, lastReadSeq }]
  }
  return {
    channels: channels && new Map(Object.values(channels).map(inChannel)),
    threads: threads && new Map(threads.map(inThread)),
    /** The messages notified of since: two runs may overlap if the connection is lost again meanwhile. */
    told: new Set<string>(),
  }
}

/** Notifies of the newest relevant message in each conversation whose count has grown. */
async function notifyMissed(client: QueryClient, me: string, before: ReturnType<typeof notificationCounts>) {
  const now = notificationCounts(client)
  const missed = (
    held: Map<string, NotificationCount> | undefined,
    latest: Map<string, NotificationCount> = new Map(),
  ) => (held ? [...latest].filter(([id, current]) => hasNewNotifications(held.get(id), current)) : [])
  const all = [...missed(before.channels, now.channels), ...missed(before.threads, now.threads)]
  for (const [id, conversation] of all.slice(0, MAX_NOTIFIED)) {
    const from = Math.max(
      conversation.lastReadSeq,
      before.channels?.get(id)?.seq ?? 0,
      before.threads?.get(id)?.seq ?? 0,
    )
    try {
      await notifyNewest(client, me, conversation, from, before.told)
    } catch (error) {
      console.error('Failed to load a message to notify of:', error)
    }
  }
}

/** If the conversation was read meanwhile, all of its count is new. */
const hasNewNotifications = (before: NotificationCount | undefined, { count, lastReadSeq }: NotificationCount) =>
  count > (before && before.lastReadSeq === lastReadSeq ? before.count : 0)

/** Notifies of the newest relevant message after a `seq`, unless it has been told. */
async function notifyNewest(
  client: QueryClient,
  me: string,
  { channelId, threadId }: NotificationCount,
  from: number,
  told: Set<string>,
) {
  let oldest: number | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const messages = await messagesBefore(oldest, channelId, threadId)
    for (const message of messages.filter(({ seq }) => seq > from).reverse()) {
      if (told.has(message.id)) return
      told.add(message.id)
      if (await notifyMe(client, message, me)) return
      told.delete(message.id)
    }
    oldest = messages[0]?.seq ?? 0
    if (oldest <= from + 1) return
  }
}

/** A page of a channel or of a thread's replies, oldest first; the newest page without a `seq`. */
async function messagesBefore(seq: number | undefined, channelId: string, threadId: string | null): Promise<Message[]> {
  const query = { limit: limits.page.max, ...(seq !== undefined && { before: seq }) }
  if (threadId === null) return call(listMessages, { params: { channelId }, query })
  const [, ...replies] = await call(listThread, { params: { threadId }, query })
  return replies
}
