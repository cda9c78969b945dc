import type { FollowedThread } from '#contract/threads'

type Threads = ReadonlyMap<string, FollowedThread>

/**
 * The threads to keep on the page, by id: those in use, in case they disappear from the list, and those that
 * disappeared while in use, in their last version. Returns `kept` if it has the same ones.
 * @param listed the threads that I follow now
 * @param inUse the ids of threads in which I write or have the focus
 */
export function keptThreads(kept: Threads, listed: Threads, inUse: ReadonlySet<string>): Threads {
  const gone = [...kept].filter(([id]) => !listed.has(id))
  const used = [...listed].filter(([id]) => inUse.has(id))
  const next = new Map([...gone, ...used])
  return next.size === kept.size && [...next].every(([id, thread]) => kept.get(id) === thread) ? kept : next
}
