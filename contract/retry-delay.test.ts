import fc from 'fast-check'
import { expect, test } from 'vitest'
import { retryDelay } from './retry-delay.ts'

test('delays double up to a maximum, and vary by half', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 5000 }), (failures) => {
      const delayMs = retryDelay(failures, { firstMs: 100, maxMs: 30_000 })
      const longestMs = failures > 9 ? 30_000 : 100 * 2 ** (failures - 1)
      expect(delayMs).toBeGreaterThanOrEqual(longestMs / 2)
      expect(delayMs).toBeLessThanOrEqual(longestMs)
    }),
  )
  expect(new Set(Array.from({ length: 10 }, () => retryDelay(1, { firstMs: 100, maxMs: 100 }))).size).toBeGreaterThan(1)
})
