import { expect, test } from 'vitest'
import { evicted } from './device-cache-eviction.ts'

/** Deterministic pseudorandom numbers. */
function* numbers(seed: number) {
  for (let state = seed; ; ) {
    state = (state * 48271) % 2147483647
    yield state
  }
}

test('the most recently used records stay, within the size limit', () => {
  const next = numbers(7)
  const below = (max: number) => (next.next().value as number) % max
  for (let round = 0; round < 500; round++) {
    const maxBytes = below(10_000)
    const records = Array.from(
      { length: below(40) },
      (_, n) => [`r${n}`, { bytes: below(1000), usedAt: below(50) }] as const,
    )
    const gone = new Set(evicted(records, maxBytes))
    const kept = records.filter(([name]) => !gone.has(name))
    expect(kept.reduce((sum, [, { bytes }]) => sum + bytes, 0)).toBeLessThanOrEqual(maxBytes)
    const newestGone = Math.max(...records.filter(([name]) => gone.has(name)).map(([, { usedAt }]) => usedAt))
    for (const [, { usedAt }] of kept) expect(usedAt).toBeGreaterThanOrEqual(newestGone)
    const total = records.reduce((sum, [, { bytes }]) => sum + bytes, 0)
    if (total <= maxBytes) expect(gone.size).toBe(0)
  }
})

test('records used in the future, by a wrong clock, are evicted first', () => {
  const records = [
    ['wrong', { bytes: 10, usedAt: 5000 }],
    ['recent', { bytes: 10, usedAt: 1000 }],
    ['old', { bytes: 10, usedAt: 500 }],
  ] as const
  expect(evicted(records, 20, 1000)).toEqual(['wrong'])
  expect(evicted(records, 20, 5000)).toEqual(['old'])
})
