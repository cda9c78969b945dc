import { unavailable } from '../errors.ts'
import type { ChannelQueues } from './channel-queues.ts'
import type { NewMessage, SendOutcome, StoredMessage } from './store-messages.ts'

export interface Send {
  kind: 'send'
  message: NewMessage
  /** Deadline by the monotonic clock, in milliseconds. */
  expiresAt: number
  settle: (outcome: SendOutcome) => void
}

interface Options {
  queues: ChannelQueues<Send | { kind: 'change' }>
  /** Never rejects. */
  store: (messages: NewMessage[], waitsForLocks: boolean) => Promise<SendOutcome[]>
  /** Publishes stored messages, in the order given. Never rejects. */
  publish: (messages: StoredMessage[]) => Promise<void>
}

const MAX_GROUPS = 2
const MAX_GROUP_MESSAGES = 1000
const MAX_GROUP_CHARACTERS = 1_000_000
/**
 * Delay before retrying a channel that another transaction has locked. That is usually a group of another node, which ends
 * within milliseconds.
 */
const RETRY_DELAY_MS = 3
/** After this many tries, wait for the other transaction to end. */
const MAX_QUICK_TRIES = 4
/** Limits concurrent waits for locked channels. Each takes a connection. */
const MAX_LOCK_WAITS = 4
/** Retry delay of locked channels beyond that limit. */
const SLOW_RETRY_DELAY_MS = 50

/**
 * Commits the sends of all channels in groups: while some groups are being written, the next sends queue up. There is no timer.
 * Returns a function that starts as many groups as possible.
 */
export function createGroupCommit({ queues, store, publish }: Options) {
  let groups = 0
  let lockWaits = 0
  /** Failed attempts to lock a channel since its last commit. */
  const tries = new Map<string, number>()

  function startGroups() {
    while (groups < MAX_GROUPS) {
      const sends = dequeueGroup()
      if (sends.length === 0) return
      void commitGroup(sends)
    }
  }

  /** Dequeues the sends at the heads of all unlocked queues. */
  function dequeueGroup(): Send[] {
    const group: Send[] = []
    const keys = new Set<string>()
    let characters = 0
    const isFull = () => group.length === MAX_GROUP_MESSAGES || characters > MAX_GROUP_CHARACTERS
    for (const [channelId, queue] of queues.unlocked()) {
      for (let head = queue[0]; head?.kind === 'send' && !isFull(); head = queue[0]) {
        const { userId, clientId, content } = head.message
        const key = `${userId} ${clientId}`
        // A repeated send waits for the next group, which finds the first one stored.
        if (clientId !== null && keys.has(key)) break
        keys.add(key)
        characters += content.length
        group.push(head)
        queues.dequeue(channelId)
      }
      if (isFull()) break
    }
    return group
  }

  async function commitGroup(sends: Send[]) {
    const channelIds = new Set(sends.map(({ message }) => message.channelId))
    groups++
    for (const channelId of channelIds) queues.lock(channelId)
    const busy = Map.groupBy(await commit(sends, false), ({ message }) => message.channelId)
    groups--
    for (const channelId of channelIds) {
      const busySends = busy.get(channelId)
      if (busySends) tryAgain(channelId, busySends)
      else release(channelId)
    }
    // If all channels of this group stay locked, no unlock starts the next group.
    queues.schedule()
  }

  function release(channelId: string) {
    tries.delete(channelId)
    queues.unlock(channelId)
  }

  /**
   * Retries the sends of a channel that another transaction has locked with a later group, or waits for its release. Never waits
   * for several channels in one transaction: it would hold the locks on some while waiting for the others.
   */
  function tryAgain(channelId: string, sends: Send[]) {
    const count = (tries.get(channelId) ?? 0) + 1
    tries.set(channelId, count)
    const isQuick = count <= MAX_QUICK_TRIES
    if (!isQuick && lockWaits < MAX_LOCK_WAITS) {
      void commitWhenReleased(channelId, sends)
      return
    }
    queues.putBack(channelId, sends)
    setTimeout(() => queues.unlock(channelId), isQuick ? RETRY_DELAY_MS : SLOW_RETRY_DELAY_MS)
  }

  /** Waits for a locked channel outside the groups, so that it delays no other channel. */
  async function commitWhenReleased(channelId: string, sends: Send[]) {
    lockWaits++
    const busy = await commit(sends, true)
    for (const send of busy) send.settle({ kind: 'busy' })
    lockWaits--
    release(channelId)
  }

  /** Stores, publishes and settles. Returns the sends whose channels other transactions have locked. */
  async function commit(sends: Send[], waitsForLocks: boolean): Promise<Send[]> {
    const now = performance.now()
    const current = sends.filter(({ expiresAt }) => expiresAt > now)
    const expired = sends.filter(({ expiresAt }) => expiresAt <= now)
    for (const send of expired) send.settle({ kind: 'refused', error: unavailable('the message waited too long') })
    if (current.length === 0) return []
    const messages = current.map(({ message }) => message)
    const outcomes = await store(messages, waitsForLocks)
    const stored = outcomes.filter((outcome) => outcome.kind === 'stored')
    if (stored.length > 0) await publish(stored)
    const busy: Send[] = []
    for (const [i, send] of current.entries()) {
      const outcome = outcomes[i] as SendOutcome
      if (outcome.kind === 'busy') busy.push(send)
      else send.settle(outcome)
    }
    return busy
  }

  return startGroups
}
