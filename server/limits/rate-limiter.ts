import type { Counter } from 'prom-client'
import { rateLimited } from '../errors.ts'
import type { Rate, RateName } from './bounds.ts'

/** Per rate, in each of two generations. */
const MAX_KEYS = 50_000

/**
 * Counts by key, and answers for how many seconds one more has to wait: 0 where it is allowed, and then it is counted.
 * Of each key one number is kept, the time at which its whole burst is there again; a key that rested that long is like
 * a new one, so those of two spans are kept and the older span is forgotten, also when there are too many keys in it.
 */
export function createRate({ perSecond, burst }: Rate) {
  const step = 1000 / perSecond
  const span = burst * step
  let young = new Map<string, number>()
  let old = new Map<string, number>()
  let turnedAt = performance.now()

  return function consume(key: string): number {
    const now = performance.now()
    if (now - turnedAt > span || young.size >= MAX_KEYS) {
      old = young
      young = new Map()
      turnedAt = now
    }
    const whole = Math.max(now, young.get(key) ?? old.get(key) ?? 0)
    const wait = whole + step - span - now
    if (wait > 0) return Math.ceil(wait / 1000)
    young.set(key, whole + step)
    return 0
  }
}

export interface Limiter {
  /** @throws AppError 429 with the seconds after which one more is allowed */
  consume(rate: RateName, key: string): void
}

/** Rate limits of this node, in memory: each node has its own, and a restart resets them. */
export function createLimiter(isOn: boolean, rates: Record<RateName, Rate>, refused: Counter<'rate'>): Limiter {
  if (!isOn) return { consume: () => {} }
  const rules = Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, createRate(rate)])) as Record<
    RateName,
    ReturnType<typeof createRate>
  >
  return {
    consume(rate, key) {
      const retryAfter = rules[rate](key)
      if (retryAfter === 0) return
      refused.inc({ rate })
      throw rateLimited(retryAfter)
    },
  }
}
