import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tries } from '#contract/test/properties'
import { afterFailure, alarmsAt, dueAt, onStart, renewsAt } from './renewal-rules.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const NOW = Date.parse('2026-03-01T00:00:00Z')
/** A certificate of so many days, of which some are left. */
const life = (days: number, left: number) => ({
  startsAt: new Date(NOW - (days - left) * DAY_MS),
  endsAt: new Date(NOW + left * DAY_MS),
})
const failure = (retryAfter?: number) => ({ error: 'no', isRefusal: true, retryAfter, now: NOW })

test.each([
  [90, 31, false],
  [90, 29, true],
  [45, 16, false],
  [45, 14, true],
  [6, 3, false],
  [6, 1.9, true],
])('a certificate of %i days with %i left is renewed: %s', (days, left, isDue) => {
  expect(renewsAt(life(days, left)) <= NOW).toBe(isDue)
  expect(dueAt(life(days, left), undefined, NOW) <= NOW).toBe(isDue)
})

test('without a certificate one is due at once', () => {
  expect(dueAt(undefined, undefined, NOW)).toBeLessThanOrEqual(NOW)
})

test.each([
  [90, 16, false],
  [90, 14, true],
  [365, 15, false],
  [6, 1.1, false],
  [6, 0.9, true],
])('people are told of a certificate of %i days with %i left: %s', (days, left, isTold) => {
  expect(alarmsAt(life(days, left)) <= NOW).toBe(isTold)
})

test('failures in a row are repeated ever more slowly, at most five within an hour', () => {
  let attempts = afterFailure(undefined, failure())
  let within = 1
  for (; attempts.dueAt - NOW < HOUR_MS; within++)
    attempts = afterFailure(attempts, { ...failure(), now: attempts.dueAt })
  expect(within).toBeLessThanOrEqual(5)
  for (let n = 0; n < 100; n++) attempts = afterFailure(attempts, failure())
  expect(attempts).toMatchObject({ failures: within + 100, error: 'no' })
  expect(attempts.dueAt - NOW).toBeLessThanOrEqual(12 * HOUR_MS)
})

describe('a start', () => {
  test('tries again after five minutes, however often it failed before', () => {
    let attempts = afterFailure(undefined, failure())
    for (let n = 0; n < 10; n++) attempts = afterFailure(attempts, failure())
    expect(onStart(attempts, NOW + HOUR_MS)?.dueAt).toBe(NOW + 5 * 60_000)
  })

  test('tries at once if the authority could not be reached', () => {
    const attempts = afterFailure(undefined, { ...failure(), isRefusal: false })
    expect(attempts.dueAt - NOW).toBeLessThanOrEqual(10_000)
    expect(onStart(attempts, NOW + 1)?.dueAt).toBe(NOW)
  })

  test('waits as long as the authority asked, but not for years', () => {
    const day = afterFailure(undefined, failure(24 * 3600))
    expect(onStart(day, NOW)?.dueAt).toBe(NOW + DAY_MS)
    expect(onStart(afterFailure(undefined, failure(10 ** 9)), NOW)?.dueAt).toBe(NOW + 7 * DAY_MS)
  })

  test('ignores attempts from the future, because the clock was set back; a second doesn’t matter', () => {
    const attempts = afterFailure(undefined, failure(24 * 3600))
    expect(onStart(attempts, NOW - 3_600_000)).toBeUndefined()
    expect(dueAt(undefined, attempts, NOW - 3_600_000)).toBe(0)
    expect(onStart(attempts, NOW - 1000)?.dueAt).toBe(NOW + DAY_MS)
  })

  test('waits no longer than the longest wait, whatever was stored', () => {
    const forever = { ...afterFailure(undefined, failure()), dueAt: 8e15, waitsUntil: 8e15 }
    expect(onStart(forever, NOW)?.dueAt).toBe(NOW + 7 * DAY_MS)
  })
})

test('no attempt begins before the authority allows it, nor before the certificate is due', () => {
  const days = fc.integer({ min: 1, max: 400 })
  const share = fc.double({ min: 0, max: 1, noNaN: true })
  const retryAfter = fc.option(fc.nat(7 * 86_400), { nil: undefined })
  const failures = fc.integer({ min: 1, max: 20 })
  fc.assert(
    fc.property(days, share, retryAfter, failures, (days, share, retryAfter, failures) => {
      const certificate = life(days, days * share)
      let attempts = afterFailure(undefined, failure(retryAfter))
      for (let n = 1; n < failures; n++) attempts = afterFailure(attempts, failure(retryAfter))
      for (const known of [attempts, onStart(attempts, NOW)]) {
        expect(dueAt(certificate, known, NOW)).toBeGreaterThanOrEqual(NOW + (retryAfter ?? 0) * 1000)
        expect(dueAt(certificate, known, NOW)).toBeGreaterThanOrEqual(renewsAt(certificate))
      }
    }),
    tries(200),
  )
})
