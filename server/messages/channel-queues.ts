/**
 * One queue and one lock per channel: at most one job per channel runs at a time. Locking a channel moves it behind all others,
 * so a queue that is never empty cannot starve them.
 */
export interface ChannelQueues<T> {
  enqueue(channelId: string, item: T): void
  /** Removes the first item of a queue. */
  dequeue(channelId: string): void
  /** Puts dequeued items back at the head of their queue, in the order given. */
  putBack(channelId: string, items: T[]): void
  /** The queues of unlocked channels, the next one first. */
  unlocked(): Iterable<[channelId: string, queue: readonly T[]]>
  lock(channelId: string): void
  unlock(channelId: string): void
  /** Calls `onReady` soon, once for any number of calls. Call it when more work may start. */
  schedule(): void
  /** Whether work of a channel is running or queued. */
  isBusy(channelId: string): boolean
  /** The number of queued items, over all channels. */
  waiting(): number
}

/** @param onReady called when work may start, after all pending events, so that everything they enqueue is batched */
export function createChannelQueues<T>(onReady: () => void): ChannelQueues<T> {
  const queues = new Map<string, T[]>()
  const locked = new Set<string>()
  let waiting = 0
  let isScheduled = false

  function schedule() {
    if (isScheduled) return
    isScheduled = true
    setImmediate(() => {
      isScheduled = false
      onReady()
    })
  }

  function enqueue(channelId: string, item: T) {
    const queue = queues.get(channelId)
    if (queue) queue.push(item)
    else queues.set(channelId, [item])
    waiting++
    schedule()
  }

  function dequeue(channelId: string) {
    const queue = queues.get(channelId)
    if (!queue) return
    queue.shift()
    waiting--
    if (queue.length === 0) queues.delete(channelId)
  }

  function putBack(channelId: string, items: T[]) {
    const queue = queues.get(channelId)
    if (queue) queue.unshift(...items)
    else queues.set(channelId, [...items])
    waiting += items.length
  }

  function* unlocked() {
    for (const entry of queues) if (!locked.has(entry[0])) yield entry
  }

  function lock(channelId: string) {
    locked.add(channelId)
    const queue = queues.get(channelId)
    if (!queue) return
    queues.delete(channelId)
    queues.set(channelId, queue)
  }

  function unlock(channelId: string) {
    locked.delete(channelId)
    schedule()
  }

  const isBusy = (channelId: string) => locked.has(channelId) || queues.has(channelId)

  return { enqueue, dequeue, putBack, unlocked, lock, unlock, schedule, isBusy, waiting: () => waiting }
}
