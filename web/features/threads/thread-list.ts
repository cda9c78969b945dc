import type { QueryClient } from '@tanstack/react-query'
import type { Payload } from '#contract/events'
import { limits } from '#contract/limits'
import type { Message } from '#contract/messages'
import type { FollowedThread } from '#contract/threads'
import type { Face, User } from '#contract/users'
import { applyUpdate, type MessageUpdate, withNames } from '../../cache/message-update.ts'
import { patch, refetch } from '../../cache/patch-query.ts'
import { advanceOnMessage, isStale, mayAffectMentions, mergeCursor, newestSeq } from '../../cache/read-cursor.ts'
import { asMeant } from '../../people/user-queries.ts'
import { threadPages } from './thread-pages.ts'
import { myThreads, threadCursor } from './thread-queries.ts'

// How events and my own actions change the list of threads.

/** Changes the threads held, in the list and in the pages. Returns its argument if nothing changes. */
type Change = (threads: FollowedThread[]) => FollowedThread[]

function patchThreads(client: QueryClient, change: Change) {
  patch(client, myThreads.queryKey, change)
  patchPages(client, change)
}

function patchPages(client: QueryClient, change: Change) {
  for (const isUnread of [false, true])
    patch(client, threadPages(isUnread).queryKey, (held) => {
      const pages = held.pages.map((page) => {
        const threads = change(page.threads)
        return threads === page.threads ? page : { ...page, threads }
      })
      return pages.some((page, i) => page !== held.pages[i]) ? { ...held, pages } : held
    })
}

/** How long requests for the list are collected: marking many threads fetches it once. */
const BURST_MS = 100
const scheduled = new WeakSet<QueryClient>()
/** The latest refetch of the list, until it is done. */
const refetches = new WeakMap<QueryClient, Promise<void>>()

export function refetchThreads(client: QueryClient) {
  if (scheduled.has(client)) return
  scheduled.add(client)
  const wait = new Promise((resolve) => setTimeout(resolve, BURST_MS))
  const done = wait
    .then(() => {
      scheduled.delete(client)
      return refetch(client, { queryKey: myThreads.queryKey })
    })
    .finally(() => {
      if (refetches.get(client) === done) refetches.delete(client)
    })
  refetches.set(client, done)
}

/** How long requests about threads beyond the end of the list are spread: a reply may cause one of each reader. */
const SPREAD_MS = 2000

/** Whether I follow the thread of a reply that just arrived. */
export async function isFollowed(client: QueryClient, { threadId, seq }: { threadId: string; seq: number }) {
  const isListed = async () => {
    // Events keep the list current.
    const threads = await client.fetchQuery({ ...myThreads, staleTime: Number.POSITIVE_INFINITY })
    return find(threads, threadId) ? true : threads.length < limits.page.max ? false : undefined
  }
  if (await isListed()) return true
  // It may be my message that got its first reply, or a thread that I just replied in: then the list is about to change.
  if (seq === 1) refetchThreads(client)
  await refetches.get(client)
  const isNowListed = await isListed()
  if (isNowListed !== undefined) return isNowListed
  const { queryKey } = threadCursor(threadId)
  if (client.getQueryData(queryKey) === undefined)
    await new Promise((resolve) => setTimeout(resolve, Math.random() * SPREAD_MS))
  const cursor = await client.fetchQuery({ ...threadCursor(threadId), staleTime: Number.POSITIVE_INFINITY })
  return cursor.isFollowing
}

/** A channel that I joined may have threads that I follow. */
export function refetchIfJoined(client: QueryClient, { user }: Payload<'channel:member_joined'>, me: string) {
  if (user.id === me) refetchThreads(client)
}

/** Applies a changed parent, a reply, or both. */
export function applyThreadUpdate(client: QueryClient, update: MessageUpdate, me: string) {
  const { message } = update
  const refetchList = refetchOnce(client)
  const change = (held: FollowedThread) => {
    const parent = applyUpdate(held.parent, update)
    if (parent === held.parent) return held
    return {
      ...held,
      parent,
      ...(message?.threadId === held.threadId && advanceOnMessage(held, asMeant(client, message, me), me)),
    }
  }
  const changeAll: Change = (threads) => {
    const changed = threads.map(change)
    return changed.some((thread, i) => thread !== threads[i]) ? changed : threads
  }
  patch(client, myThreads.queryKey, (threads) => {
    if (message?.threadId && isUncertain(find(threads, message.threadId), message, me)) refetchList()
    const changed = changeAll(threads)
    return changed === threads ? threads : changed.sort(byLastReply)
  })
  patchPages(client, changeAll)
}

/** Whether a reply may change more than its event shows: no event says whom it mentioned before, or who follows the thread. */
function isUncertain(held: FollowedThread | undefined, reply: Message, me: string) {
  if (held) return reply.seq <= newestSeq(held) && mayAffectMentions(held, reply, me)
  // I follow a thread after replying, after a mention, or when my message gets its first reply.
  const isNew = reply.editedAt === null && reply.deletedAt === null
  return reply.mentions.some(({ userId }) => userId === me) || (isNew && (reply.userId === me || reply.seq === 1))
}

export function applyThreadRead(client: QueryClient, { channelId: _, ...cursor }: Payload<'thread:read'>) {
  const { threadId, isFollowing } = cursor
  const unlisted = threadCursor(threadId).queryKey
  client.setQueryData(unlisted, (held) => held && { ...mergeCursor(held, cursor), threadId, isFollowing })
  const refetchList = refetchOnce(client)
  patch(client, myThreads.queryKey, (threads) => {
    const held = find(threads, threadId)
    if (isFollowing && (!held || isStale(cursor, held, true))) refetchList()
    return threads
  })
  patchThreads(client, (threads) => {
    if (!find(threads, threadId)) return threads
    return threads
      .filter((thread) => thread.threadId !== threadId || isFollowing)
      .map((thread) => (thread.threadId === threadId ? { ...thread, ...mergeCursor(thread, cursor) } : thread))
  })
}

/** Drops the threads of a channel that I am no longer in. */
export function dropThreads(client: QueryClient, { channelId }: { channelId: string }) {
  patchThreads(client, (threads) =>
    threads.some(({ parent }) => parent.channelId === channelId)
      ? threads.filter(({ parent }) => parent.channelId !== channelId)
      : threads,
  )
}

export function renameInThreads(client: QueryClient, { id, username, name }: User) {
  const nameOf = (person: Face) => (person.id === id ? { id, username, name, color: person.color } : person)
  patchThreads(client, (threads) => threads.map((thread) => ({ ...thread, parent: withNames(thread.parent, nameOf) })))
}

const find = (threads: FollowedThread[], threadId: string) => threads.find((thread) => thread.threadId === threadId)

/**
 * Returns a function that refetches the list once, for changes that leave something unknown in it or in a response in
 * flight.
 */
function refetchOnce(client: QueryClient) {
  let isScheduled = false
  return () => {
    if (isScheduled) return
    isScheduled = true
    queueMicrotask(() => refetchThreads(client))
  }
}

export const byLastReply = (a: FollowedThread, b: FollowedThread) => (sortKey(a) < sortKey(b) ? 1 : -1)
const sortKey = ({ parent, threadId }: FollowedThread) => `${parent.lastReplyAt ?? ''} ${threadId}`
