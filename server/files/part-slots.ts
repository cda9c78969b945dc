import { createKeyCounter } from '../limits/key-counter.ts'

interface Waiter {
  user: string
  enter: () => void
}

/**
 * Limits how many parts are in memory at a time, in total and per user. A user over their limit only waits for their own parts.
 * Aborted waiters leave the queue.
 */
export function createPartSlots({ total, perUser }: { total: number; perUser: number }) {
  const held = createKeyCounter()
  let used = 0
  const waiting = new Set<Waiter>()
  const mayEnter = (user: string) => held.count(user) < perUser

  function enterNext() {
    for (const waiter of waiting) {
      if (used >= total) return
      if (mayEnter(waiter.user)) waiter.enter()
    }
  }

  /** Resolves when there is a free slot, or rejects with the signal's reason. */
  function acquire(user: string, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = () => {
        waiting.delete(waiter)
        signal.removeEventListener('abort', giveUp)
      }
      const giveUp = () => {
        leave()
        reject(signal.reason)
      }
      const enter = () => {
        leave()
        used++
        held.enter(user)
        resolve()
      }
      const waiter = { user, enter }
      if (signal.aborted) return reject(signal.reason)
      waiting.add(waiter)
      signal.addEventListener('abort', giveUp)
      enterNext()
    })
  }

  function release(user: string) {
    used--
    held.leave(user)
    enterNext()
  }

  return {
    /** Runs the work once there is a free slot. */
    async run<T>(user: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      await acquire(user, signal)
      return work().finally(() => release(user))
    },
    /** Whether a user waits for the parts of others. */
    isFull: () => used >= total && [...waiting].some(({ user }) => mayEnter(user)),
  }
}
