import pLimit, { type LimitFunction } from 'p-limit'
import { busy } from '../errors.ts'
import { DEADLINE_MS } from '../http/deadline.ts'

export type Turns = ReturnType<typeof createTurns>

interface TurnOptions {
  total: number
  perUser: number
  maxWaitMs?: number
}

/**
 * Limits concurrent expensive work, in total and per user. A user's excess work queues only behind their own. Work whose
 * request has timed out before its turn is not started.
 * @param maxWaitMs how long work may wait for its turn, if it belongs to no request
 */
export function createTurns({ total, perUser, maxWaitMs = DEADLINE_MS }: TurnOptions) {
  const limitTotal = pLimit(total)
  const users = new Map<string, { limit: LimitFunction; count: number }>()

  return async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    const own = users.get(userId) ?? { limit: pLimit(perUser), count: 0 }
    own.count++
    users.set(userId, own)
    const deadline = performance.now() + maxWaitMs
    const start = () => {
      if (performance.now() > deadline) throw busy('its turn came too late')
      return work()
    }
    try {
      return await own.limit(() => limitTotal(start))
    } finally {
      if (--own.count === 0) users.delete(userId)
    }
  }
}

/**
 * Shares one read among concurrent requests for the same key. Each request still waits for its own user's turn, so that a user
 * with many requests doesn't delay others.
 * @param cached the result of an earlier read, by key
 */
export function createSharedReads<T>(turns: Turns, cached: (key: string) => T | undefined) {
  const running = new Map<string, Promise<T>>()
  return async (userId: string, key: string, read: () => Promise<T>): Promise<T> =>
    cached(key) ??
    turns(userId, async () => {
      const shared = cached(key) ?? running.get(key)
      if (shared) return shared
      const result = read().finally(() => running.delete(key))
      running.set(key, result)
      return result
    })
}
