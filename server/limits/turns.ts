import pLimit, { type LimitFunction } from 'p-limit'
import { busy } from '../errors.ts'
import { DEADLINE_MS } from '../http/deadline.ts'

export type Turns = ReturnType<typeof openTurns>

/**
 * Lets work run that takes much memory, or holds what others need: so much at once of all, and so much of one person,
 * whose further work waits behind their own. Work whose turn comes when its answer was given up is not done.
 */
export function openTurns({ all, one }: { all: number; one: number }) {
  const gate = pLimit(all)
  const people = new Map<string, { turns: LimitFunction; count: number }>()

  return async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    const own = people.get(userId) ?? { turns: pLimit(one), count: 0 }
    own.count++
    people.set(userId, own)
    const givenUpAt = performance.now() + DEADLINE_MS
    const begin = () => {
      if (performance.now() > givenUpAt) throw busy()
      return work()
    }
    try {
      return await own.turns(() => gate(begin))
    } finally {
      if (--own.count === 0) people.delete(userId)
    }
  }
}

/**
 * Lets one read for all who ask for the same at the same time. Each waits in their own turn all the same: who asks for
 * much must not keep others waiting who ask for some of it.
 * @param kept what was read before under a key
 */
export function openShared<T>(turns: Turns, kept: (key: string) => T | undefined) {
  const underWay = new Map<string, Promise<T>>()
  return async (userId: string, key: string, read: () => Promise<T>): Promise<T> =>
    kept(key) ??
    turns(userId, async () => {
      const known = kept(key) ?? underWay.get(key)
      if (known) return known
      const reading = read().finally(() => underWay.delete(key))
      underWay.set(key, reading)
      return reading
    })
}
