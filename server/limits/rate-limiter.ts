import type { Counter } from 'prom-client'
import { rateLimited } from '../errors.ts'
import type { Rate, RateName } from './bounds.ts'

/** Per rate, in each of its two generations. */
const MAX_KEYS = 50_000

/**
 * Returns a function that consumes from a key's rate and returns 0 if allowed, otherwise the seconds to wait. It stores one
 * number per key (GCRA): when its full burst is available again. A key unused for that long equals a new one, so keys live in
 * two generations. The older is dropped after the time of a full burst, or when the younger is full.
 */
function createRate({ perSecond, burst }: Rate) {
  const interval = 1000 / perSecond
  const burstMs = burst * interval
  let young = new Map<string, number>()
  let old = new Map<string, number>()
  let rotatedAt = performance.now()

  return function consume(key: string): number {
    const now = performance.now()
    if (now - rotatedAt > burstMs || young.size >= MAX_KEYS) {
      old = young
      young = new Map()
      rotatedAt = now
    }
    const fullAt = Math.max(now, young.get(key) ?? old.get(key) ?? 0)
    const wait = fullAt + interval - burstMs - now
    if (wait > 0) return Math.ceil(wait / 1000)
    young.set(key, fullAt + interval)
    return 0
  }
}

export interface Limiter {
  /** @throws AppError 429 with the seconds to wait */
  consume(rate: RateName, key: string): void
}

/** Rate limits of this node, in memory: each node has its own, and a restart resets them. */
export function createLimiter(isOn: boolean, rates: Record<RateName, Rate>, refused: Counter<'rate'>): Limiter {
  if (!isOn) return { consume: () => {} }
  const consumers = Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, createRate(rate)])) as Record<
    RateName,
    ReturnType<typeof createRate>
  >
  return {
    consume(rate, key) {
      const retryAfter = consumers[rate](key)
      if (retryAfter === 0) return
      refused.inc({ rate })
      throw rateLimited(retryAfter)
    },
  }
}
