import type { Logger } from '../process/logger.ts'
import type { RoomDelivery } from './publisher.ts'
import type { Removals } from './removals.ts'

interface Task extends RoomDelivery {
  /** Until it is done the next tasks of the channel wait. */
  run: () => void | Promise<void>
  /** What it takes while it waits. Nothing if it was enqueued first. */
  size: number
  /** Polls that were applied while it waited. */
  polls: number
}

interface Queue {
  tasks: Task[]
  isRunning: boolean
}

interface Options {
  removals: Removals
  log: Logger
  /** Of all waiting tasks. */
  maxBytes: number
  /** Polls for changes, which applies all removals. */
  pollSoon: () => void
  /** Tasks were dropped: clients have to look for themselves. */
  onDropped: () => void
}

export type RoomQueues = ReturnType<typeof createRoomQueues>

/** What a waiting task takes besides its bytes. */
const OVERHEAD_BYTES = 1024
/**
 * The first poll may have begun before the task came. The second has applied all that is in the database; a removal that it
 * does not see is of the database that this one was restored from.
 */
const MAX_POLLS = 2

/**
 * What happens to a channel's sockets happens in order. An event waits for the removals before it, and for changes of the
 * members that have to ask the database. Usually nothing has to wait, and all is done at once.
 */
export function createRoomQueues({ removals, log, maxBytes, pollSoon, onDropped }: Options) {
  const queues = new Map<string, Queue>()
  let bytes = 0

  const mayRun = (channelId: string, { removal }: RoomDelivery) =>
    removal === undefined || removals.isApplied(channelId, removal)

  /** Returns undefined if there is nothing to wait for. Never rejects. */
  function start(run: Task['run']): Promise<void> | undefined {
    const onError = (error: unknown) =>
      log.error({ err: error }, 'a change of a channel could not be applied to sockets')
    try {
      return run()?.catch(onError)
    } catch (error) {
      onError(error)
      return undefined
    }
  }

  /** Lets the others wait until a task is done. */
  function occupy(channelId: string, queue: Queue, running: Promise<void>) {
    queue.isRunning = true
    void running.then(() => {
      queue.isRunning = false
      advance(channelId, queue)
    })
  }

  /** Runs the tasks that need not wait. */
  function advance(channelId: string, queue: Queue) {
    for (let task = queue.tasks[0]; task && !queue.isRunning; task = queue.tasks[0]) {
      if (!mayRun(channelId, task)) return pollSoon()
      queue.tasks.shift()
      bytes -= task.size
      const running = start(task.run)
      if (running) occupy(channelId, queue, running)
    }
    if (queue.tasks.length === 0 && !queue.isRunning) queues.delete(channelId)
    return undefined
  }

  function queueOf(channelId: string): Queue {
    const queue = queues.get(channelId) ?? { tasks: [], isRunning: false }
    queues.set(channelId, queue)
    return queue
  }

  /** Runs a task after those that wait, and after its removal. */
  function enqueue(channelId: string, run: Task['run'], delivery: RoomDelivery = {}) {
    if (!queues.has(channelId) && mayRun(channelId, delivery)) {
      const running = start(run)
      if (running) occupy(channelId, queueOf(channelId), running)
      return
    }
    if (delivery.isTransient) return
    const size = OVERHEAD_BYTES + (delivery.bytes?.() ?? 0)
    if (bytes + size > maxBytes) return onDropped()
    bytes += size
    const queue = queueOf(channelId)
    queue.tasks.push({ ...delivery, run, size, polls: 0 })
    advance(channelId, queue)
  }

  return {
    enqueue,
    /** Runs a task before those that wait: the sockets of those who lost access leave. */
    enqueueFirst(channelId: string, run: () => Promise<void>) {
      const queue = queueOf(channelId)
      queue.tasks.unshift({ run, size: 0, polls: 0 })
      advance(channelId, queue)
    },
    /** Call after a removal was applied. */
    resume(channelId: string) {
      const queue = queues.get(channelId)
      if (queue) advance(channelId, queue)
    },
    /**
     * Drops what waits, because all sockets have to reconnect and an event may be of commits that the database has lost. What
     * was enqueued first still runs.
     */
    clear() {
      for (const queue of queues.values()) queue.tasks = queue.tasks.filter(({ size }) => size === 0)
      bytes = 0
      for (const [channelId, queue] of queues) advance(channelId, queue)
    },
    /** Call after a poll was applied to the sockets. */
    onPoll() {
      for (const [channelId, queue] of queues) {
        for (const task of queue.tasks)
          if (++task.polls >= MAX_POLLS && task.removal !== undefined) removals.applyAll(channelId, task.removal)
        advance(channelId, queue)
      }
    },
  }
}
