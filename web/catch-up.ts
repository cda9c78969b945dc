import { onlineManager, type Query, type QueryClient } from '@tanstack/react-query'
import type { Channel } from '#contract/channels'
import { limits } from '#contract/limits'
import { listMessages, type Message } from '#contract/messages'
import { listThread } from '#contract/threads'
import { call, isRefusal } from './api.ts'
import { readAgain } from './cache.ts'
import { callMe } from './calling.ts'
import { allChannels } from './features/channels/channel-queries.ts'
import { callsOf } from './features/channels/unread.ts'
import { isWindow } from './features/messages/message-queries.ts'
import { type FollowedThread, myThreads } from './features/threads/thread-list.ts'
import { lookForNewVersion } from './new-version.ts'

/** Milliseconds until what could not be read is asked for again. */
const RETRY_DELAY_MS = 15_000
/** Conversations of which a missed call is notified: who comes back after a week sees the rest in the sidebar. */
const MAX_NOTIFIED = 5

/** How often a channel, or a thread, calls me, and how far it has come. */
interface Calls {
  channelId: string
  threadId: string | null
  calls: number
  seq: number
  lastReadSeq: number
}

export type CatchUp = ReturnType<typeof createCatchUp>

/**
 * After each connection it is not known what was missed. Windows of messages catch up by their revisions; all else that
 * the page looks at is read again, and asked for until it came. What called me meanwhile is notified then.
 */
export function createCatchUp(client: QueryClient, me: string) {
  let timer: ReturnType<typeof setTimeout> | undefined
  let runs = 0

  async function run() {
    const current = ++runs
    clearTimeout(timer)
    // The browser may not have noticed; it would hold every request back.
    onlineManager.setOnline(true)
    const before = callsHeld(client)
    await readAgain(client, { predicate: isReadAnew })
    const finish = async () => {
      if (current !== runs) return
      if (client.getQueryCache().findAll({ type: 'active', predicate: hasFailed }).length > 0) {
        timer = setTimeout(retry, RETRY_DELAY_MS)
        return
      }
      await notifyMissed(client, me, before)
      // Before the first connection the page was loaded just now.
      if (current > 1) void lookForNewVersion()
    }
    const retry = async () => {
      await client.refetchQueries({ type: 'active', predicate: hasFailed }, { cancelRefetch: false })
      await finish()
    }
    await finish()
  }

  function end() {
    runs++
    clearTimeout(timer)
  }
  return { run, end }
}

const isReadAnew = (query: Query) => !isWindow(query) || query.state.status === 'error'

const hasFailed = ({ state: { status, isInvalidated, error } }: Query) =>
  (status === 'error' || isInvalidated) && !(error && isRefusal(error))

/** What calls me, by the id of its channel or of its thread's parent; undefined as long as it was never read. */
function callsHeld(client: QueryClient) {
  const channels = client.getQueryData(allChannels.queryKey)
  const threads = client.getQueryData(myThreads.queryKey)
  const inChannel = (channel: Channel): [string, Calls] => {
    const { id, seq, lastReadSeq = seq } = channel
    return [id, { channelId: id, threadId: null, calls: callsOf(channel), seq, lastReadSeq }]
  }
  const inThread = ({ threadId, parent, mentions, lastReadSeq, unread }: FollowedThread): [string, Calls] => {
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

/** Notifies of the newest message that called me in each conversation that calls me more often than before. */
async function notifyMissed(client: QueryClient, me: string, before: ReturnType<typeof callsHeld>) {
  const now = callsHeld(client)
  const missed = (held: Map<string, Calls> | undefined, read: Map<string, Calls> = new Map()) =>
    held ? [...read].filter(([id, { calls }]) => calls > (held.get(id)?.calls ?? 0)) : []
  const all = [...missed(before.channels, now.channels), ...missed(before.threads, now.threads)]
  for (const [id, { channelId, threadId, lastReadSeq }] of all.slice(0, MAX_NOTIFIED)) {
    const from = Math.max(lastReadSeq, before.channels?.get(id)?.seq ?? 0, before.threads?.get(id)?.seq ?? 0)
    try {
      const messages = await newestOf(channelId, threadId)
      for (const message of messages.filter(({ seq }) => seq > from).reverse())
        if (await callMe(client, message, me)) break
    } catch (error) {
      console.error('Could not ask what called:', error)
    }
  }
}

/** The newest messages of a channel, or the newest replies of a thread, oldest first. */
async function newestOf(channelId: string, threadId: string | null): Promise<Message[]> {
  const query = { limit: limits.page.default }
  if (threadId === null) return call(listMessages, { params: { channelId }, query })
  const [, ...replies] = await call(listThread, { params: { threadId }, query })
  return replies
}
