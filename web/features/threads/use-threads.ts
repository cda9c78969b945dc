import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { limits } from '#contract/limits'
import type { FollowedThread } from '#contract/threads'
import { keptThreads } from './kept-threads.ts'
import { byLastReply } from './thread-list.ts'
import { heldOrder } from './thread-order.ts'
import { threadPages } from './thread-pages.ts'
import { myThreads } from './thread-queries.ts'

const NONE: FollowedThread[] = []
const NONE_KEPT: ReadonlyMap<string, FollowedThread> = new Map()

export interface ShownThread {
  thread: FollowedThread
  /** I no longer follow it, or am no longer in its channel. */
  isGone: boolean
  /** It is in use, or was when it disappeared. */
  isKept: boolean
}

/**
 * The threads that I follow, all or unread ones, in an order that stays while the page is open.
 * @param inUse the ids of threads that stay even if I no longer follow them
 */
export function useThreads(isUnread: boolean, inUse: ReadonlySet<string>) {
  const query = useInfiniteQuery(threadPages(isUnread))
  const { data, error, hasNextPage } = query
  const { data: list } = useQuery(myThreads)
  const latest = list ?? NONE
  useEffect(() => {
    if (error) console.error('Failed to load threads:', error)
  }, [error])

  const listed = data?.pages.flatMap(({ threads }) => threads).filter((thread) => !isGone(thread, list)) ?? NONE
  const paged = new Map(listed.map((thread) => [thread.threadId, thread]))
  const last = [...paged.values()].sort(byLastReply).at(-1)
  const [order, setOrder] = useState<readonly string[]>([])
  // Threads followed since, or moved up by a new reply from a page that isn't loaded. Once shown, they stay even if read.
  const shown = new Set(order)
  const hasArrived = (thread: FollowedThread) =>
    (!isUnread || thread.unread > 0) && (!hasNextPage || (last !== undefined && byLastReply(thread, last) < 0))
  const arrived = latest.filter(
    (thread) => data !== undefined && !paged.has(thread.threadId) && (shown.has(thread.threadId) || hasArrived(thread)),
  )
  const followed = new Map([...arrived, ...paged.values()].map((thread) => [thread.threadId, thread]))
  const [kept, setKept] = useState(NONE_KEPT)
  // I may no longer be allowed to read what was dropped.
  const nextKept = data ? keptThreads(kept, followed, inUse) : NONE_KEPT
  if (nextKept !== kept) setKept(nextKept)
  const current = new Map([...nextKept, ...followed])
  const all = [...current.values()].sort(byLastReply)
  const next = heldOrder(
    order,
    all.map(({ threadId }) => threadId),
  )
  if (next.length !== order.length || next.some((id, i) => id !== order[i])) setOrder(next)

  const show = (thread: FollowedThread): ShownThread => ({
    thread,
    isGone: !followed.has(thread.threadId),
    isKept: nextKept.has(thread.threadId),
  })
  const threads = data && next.flatMap((id) => current.get(id) ?? []).map(show)
  return { ...query, threads }
}

/** Whether a thread is gone, because the list should have it: I left its channel, or do not follow it any more. */
function isGone(thread: FollowedThread, list: readonly FollowedThread[] | undefined) {
  if (!list || list.some(({ threadId }) => threadId === thread.threadId)) return false
  const last = list.at(-1)
  return list.length < limits.page.max || (last !== undefined && byLastReply(thread, last) < 0)
}
