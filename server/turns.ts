import pLimit, { type LimitFunction } from 'p-limit'

export type Turns = ReturnType<typeof openTurns>

/**
 * Lets work run that takes much memory, or holds what others need: so much at once of all, and so much of one person,
 * whose further work waits behind their own.
 */
export function openTurns({ all, one }: { all: number; one: number }) {
  const gate = pLimit(all)
  const people = new Map<string, { turns: LimitFunction; count: number }>()

  return async <T>(userId: string, work: () => Promise<T>): Promise<T> => {
    const own = people.get(userId) ?? { turns: pLimit(one), count: 0 }
    own.count++
    people.set(userId, own)
    try {
      return await own.turns(() => gate(work))
    } finally {
      if (--own.count === 0) people.delete(userId)
    }
  }
}
