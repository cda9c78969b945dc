import type { Counter } from 'prom-client'
import { tooMuch } from '../errors.ts'
import type { Rate, RateName } from './bounds.ts'

/** Keys remembered of one rate at the most, twice over. */
const REMEMBERED = 50_000

/**
 * Counts by key, and answers for how many seconds one more has to wait: 0 where it is allowed, and then it is counted.
 * Of each key one number is kept, the time at which its whole burst is there again; a key that rested that long is like
 * a new one, so those of two spans are kept and the older span is forgotten, also when there are too many keys in it.
 */
export function openRate({ perSecond, burst }: Rate) {
  const step = 1000 / perSecond
  const span = burst * step
  let young = new Map<string, number>()
  let old = new Map<string, number>()
  let turnedAt = performance.now()

  return function take(key: string): number {
    const now = performance.now()
    if (now - turnedAt > span || young.size >= REMEMBERED) {
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

/** @throws AppError 429 with the seconds after which one more is allowed */
export type Take = (rate: RateName, key: string) => void

/** The rates of this node, in memory: another node has its own, and a restart forgets them. */
export function openRates(isOn: boolean, rates: Record<RateName, Rate>, refused: Counter<'rate'>): Take {
  if (!isOn) return () => {}
  const takes = Object.fromEntries(Object.entries(rates).map(([name, rate]) => [name, openRate(rate)])) as Record<
    RateName,
    ReturnType<typeof openRate>
  >
  return (rate, key) => {
    const retryAfter = takes[rate](key)
    if (retryAfter === 0) return
    refused.inc({ rate })
    throw tooMuch(retryAfter)
  }
}
