import type { Logger } from '../process/logger.ts'
import type { RoomDelivery } from './publisher.ts'
import type { Removals } from './removals.ts'

interface Task extends RoomDelivery {
  /** The channel's next tasks wait until it is done. */
  run: () => void | Promise<void>
  /** Memory used while queued; 0 if it was enqueued first. */
  size: number
  /** Polls applied while it was queued. */
  polls: number
}

interface Queue {
  tasks: Task[]
  isRunning: boolean
}

interface Options {
  removals: Removals
  log: Logger
  /** Limit for all queued tasks together. */
  maxBytes: number
  /** Polls for changes, which applies all removals. */
  pollSoon: () => void
  /** Tasks were dropped: clients have to refetch. */
  onDropped: () => void
}

export type RoomQueues = ReturnType<typeof createRoomQueues>

/** Overhead per queued task. */
const OVERHEAD_BYTES = 1024
/**
 * The first poll may have started before the task was queued. The second applies every removal in the database; one that it
 * doesn't see belongs to the database that this one was restored from.
 */
const MAX_POLLS = 2

/**
 * Runs the tasks on a channel's sockets in order. An event waits for earlier removals, and for membership changes that query
 * the database. Usually nothing has to wait, and tasks run synchronously.
 */
export function createRoomQueues({ removals, log, maxBytes, pollSoon, onDropped }: Options) {
  const queues = new Map<string, Queue>()
  let bytes = 0

  const mayRun = (channelId: string, { removal }: RoomDelivery) =>
    removal === undefined || removals.isApplied(channelId, removal)

  /** Returns undefined if there is nothing to wait for. Never rejects. */
  function start(run: Task['run']): Promise<void> | undefined {
    const onError = (error: unknown) =>
      log.error({ err: error }, 'could not apply a change of a channel to its sockets')
    try {
      return run()?.catch(onError)
    } catch (error) {
      onError(error)
      return undefined
    }
  }

  /** Blocks the queue until a task is done. */
  function occupy(channelId: string, queue: Queue, running: Promise<void>) {
    queue.isRunning = true
    void running.then(() => {
      queue.isRunning = false
      advance(channelId, queue)
    })
  }

  /** Runs tasks until one has to wait. */
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

  /** Runs a task after the queued ones, and after its removal. */
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
    /** Runs a task before the queued ones: removes sockets of users who lost access. */
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
     * Drops queued events: all sockets have to reconnect, and an event may stem from commits that the database has lost. Tasks
     * that were enqueued first still run.
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
