import { onlineManager, type Query, type QueryClient } from '@tanstack/react-query'
import type { Channel } from '#contract/channels'
import { limits } from '#contract/limits'
import { listMessages, type Message } from '#contract/messages'
import { listThread } from '#contract/threads'
import { call, isRefusal } from '../api-client/api.ts'
import { refetch } from '../cache/patch-query.ts'
import { allChannels } from '../features/channels/cache/channel-queries.ts'
import { catchUpChannels } from '../features/channels/cache/compare-channels.ts'
import { notificationCount } from '../features/channels/cache/unread.ts'
import { isWindow } from '../features/messages/sync/message-queries.ts'
import { type FollowedThread, myThreads } from '../features/threads/thread-list.ts'
import { checkForNewVersion } from './new-version.ts'
import { notifyMe } from './notify-me.ts'

/** Milliseconds until what could not be read is asked for again: the first time, and at most. */
const RETRY_DELAY_MS = 15_000
const MAX_RETRY_DELAY_MS = 60_000
/** Conversations of which a missed call is notified: who comes back after a week sees the rest in the sidebar. */
const MAX_NOTIFIED = 5
/** Pages of a conversation in which the message that called is looked for. */
const MAX_PAGES = 10
/** Milliseconds until a new version is looked for: what was missed is notified by then, and not all pages reload at once. */
const VERSION_CHECK_DELAY_MS = 5000
const VERSION_CHECK_JITTER_MS = 20_000

/** How often a channel, or a thread, calls me, and how far it has come. */
interface NotificationCount {
  channelId: string
  threadId: string | null
  calls: number
  seq: number
  lastReadSeq: number
}

export type CatchUp = ReturnType<typeof createCatchUp>

/**
 * After each connection it is not known what was missed. Windows of messages catch up by their revisions; all else that
 * the page looks at is read again, and asked for until it came. What called me meanwhile is notified then. At the first
 * connection the channels were read just now, and only those that moved are read again.
 */
export function createCatchUp(client: QueryClient, me: string) {
  let versionCheck: ReturnType<typeof setTimeout> | undefined
  let runs = 0
  /** What called me when the connection was lost, until what was missed is notified. */
  let before: ReturnType<typeof notificationCounts> | undefined

  /** @param now the server's numbers, as `ready` told them */
  async function run(now: { epoch: string; peopleVersion: number }) {
    const current = ++runs
    // The browser may not have noticed; it would hold every request back.
    onlineManager.setOnline(true)
    before ??= notificationCounts(client)
    const since = before
    const isFirst = current === 1
    // What is asked for from now on, for the first time, is not old; and what was refused just now still is.
    const isOld = (query: Query) => isReadAnew(query) && isAsked(query) && !(isFirst && isRefused(query))
    const old = new Set(client.getQueryCache().findAll({ predicate: isOld }))
    const readOld = (isMeant: (query: Query) => boolean) =>
      refetch(client, { predicate: (query) => old.has(query) && isMeant(query) })
    const others = readOld((query) => !isOfChannels(query) && !isOfThreads(query))
    void others.then(() => retryUntilRead(current, (query) => !holdsNotificationCounts(query)))
    const threads = readOld(isOfThreads)
    if (!isFirst || !(await catchUpChannels(client, me, now))) await refetch(client, { predicate: isOfChannels })
    await threads
    // Whatever else cannot be read does not hold back what called me.
    await retryUntilRead(current, holdsNotificationCounts)
    if (current !== runs) return
    await notifyMissed(client, me, since)
    if (current !== runs) return
    before = undefined
    // Before the first connection the page was loaded just now.
    if (!isFirst)
      versionCheck = setTimeout(checkForNewVersion, VERSION_CHECK_DELAY_MS + Math.random() * VERSION_CHECK_JITTER_MS)
  }

  /** Asks again for what the page looks at and could not read, until it came or another run began. */
  async function retryUntilRead(current: number, isMeant: (query: Query) => boolean) {
    const isWanted = (query: Query) => isMeant(query) && hasFailed(query)
    let delay = RETRY_DELAY_MS
    while (current === runs && client.getQueryCache().findAll({ type: 'active', predicate: isWanted }).length > 0) {
      await new Promise((resolve) => setTimeout(resolve, delay * (0.5 + Math.random() / 2)))
      delay = Math.min(2 * delay, MAX_RETRY_DELAY_MS)
      if (current !== runs) return
      await client.refetchQueries({ type: 'active', predicate: isWanted }, { cancelRefetch: false })
    }
  }

  /** The connection is lost: a page that reloaded now would not know what it misses. */
  function pause() {
    clearTimeout(versionCheck)
  }

  function end() {
    runs++
    clearTimeout(versionCheck)
  }
  return { run, pause, end }
}

const isReadAnew = (query: Query) => !isWindow(query) || query.state.status === 'error'

const isAsked = ({ state: { status, fetchStatus } }: Query) => status !== 'pending' || fetchStatus !== 'idle'

/** The list of channels, and those that are held alone; not what is in them. */
const isOfChannels = ({ queryKey: [first, , third] }: Query) =>
  first === 'channels' || (first === 'channel' && third === 'facts')

const isOfThreads = ({ queryKey: [first] }: Query) => first === 'threads'

/** The lists that say what calls me. */
const holdsNotificationCounts = ({ queryKey: [first] }: Query) => first === 'channels' || first === 'threads'

const isRefused = ({ state: { error } }: Query) => error !== null && isRefusal(error)

const hasFailed = (query: Query) => (query.state.status === 'error' || query.state.isInvalidated) && !isRefused(query)

/** What calls me, by the id of its channel or of its thread's parent; undefined as long as it was never read. */
function notificationCounts(client: QueryClient) {
  const channels = client.getQueryData(allChannels.queryKey)
  const threads = client.getQueryData(myThreads.queryKey)
  const inChannel = (channel: Channel): [string, NotificationCount] => {
    const { id, seq, lastReadSeq = seq } = channel
    return [id, { channelId: id, threadId: null, calls: notificationCount(channel), seq, lastReadSeq }]
  }
  const inThread = ({
    threadId,
    parent,
    mentions,
    lastReadSeq,
    unread,
  }: FollowedThread): [string, NotificationCount] => {
    return [
      threadId,
      { channelId: parent.channelId, threadId, calls: mentions, seq: lastReadSeq + unread, lastReadSeq },
    ]
  }
  return {
    channels: channels && new Map(Object.values(channels).map(inChannel)),
    threads: threads && new Map(threads.map(inThread)),
  }
}

/** Notifies of the newest message that called me in each conversation that has called me since. */
async function notifyMissed(client: QueryClient, me: string, before: ReturnType<typeof notificationCounts>) {
  const now = notificationCounts(client)
  const missed = (
    held: Map<string, NotificationCount> | undefined,
    read: Map<string, NotificationCount> = new Map(),
  ) => (held ? [...read].filter(([id, calls]) => hasNewNotifications(held.get(id), calls)) : [])
  const all = [...missed(before.channels, now.channels), ...missed(before.threads, now.threads)]
  for (const [id, calls] of all.slice(0, MAX_NOTIFIED)) {
    const from = Math.max(calls.lastReadSeq, before.channels?.get(id)?.seq ?? 0, before.threads?.get(id)?.seq ?? 0)
    try {
      await notifyNewest(client, me, calls, from)
    } catch (error) {
      console.error('Could not ask what called:', error)
    }
  }
}

/** Of what was read elsewhere meanwhile none counts any more. */
const hasNewNotifications = (before: NotificationCount | undefined, { calls, lastReadSeq }: NotificationCount) =>
  calls > (before && before.lastReadSeq === lastReadSeq ? before.calls : 0)

/** Notifies of the newest message after a number that called me. */
async function notifyNewest(client: QueryClient, me: string, { channelId, threadId }: NotificationCount, from: number) {
  let oldest: number | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const messages = await messagesBefore(oldest, channelId, threadId)
    for (const message of messages.filter(({ seq }) => seq > from).reverse()) {
      if (await notifyMe(client, message, me)) return
    }
    oldest = messages[0]?.seq ?? 0
    if (oldest <= from + 1) return
  }
}

/** A page of a channel, or of the replies of a thread, oldest first; the newest unless a number is given. */
async function messagesBefore(seq: number | undefined, channelId: string, threadId: string | null): Promise<Message[]> {
  const query = { limit: limits.page.max, ...(seq !== undefined && { before: seq }) }
  if (threadId === null) return call(listMessages, { params: { channelId }, query })
  const [, ...replies] = await call(listThread, { params: { threadId }, query })
  return replies
}
