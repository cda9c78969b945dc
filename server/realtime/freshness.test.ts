import { expect, test, vi } from 'vitest'
import { createFreshness } from './freshness.ts'

const PAUSE_MS = 1500

test.each([
  ['paused', performance],
  ['suspended with its machine, which stopped the monotonic clock', Date],
] as const)('a process that was %s waits for a poll that starts afterwards', async (_, clock) => {
  const freshness = createFreshness()
  const stale = vi.fn()
  const applied = vi.fn()
  freshness.follow(stale, applied)
  expect(freshness.isFresh()).toBe(true)
  await freshness.untilFresh()

  const beforeThePause = freshness.begin()
  const now = clock.now()
  vi.spyOn(clock, 'now').mockImplementation(() => now + PAUSE_MS)
  expect(freshness.isFresh()).toBe(false)
  let isServed = false
  const served = freshness.untilFresh().then(() => {
    isServed = true
  })
  const came = freshness.turn()
  beforeThePause()
  await new Promise(setImmediate)
  expect(isServed).toBe(false)
  expect(freshness.isFresh()).toBe(false)
  expect(stale).toHaveBeenCalledOnce()
  for (const [turn] of applied.mock.calls) expect(turn).toBeLessThan(came)

  freshness.begin()()
  await served
  expect(applied).toHaveBeenLastCalledWith(came)
  expect(freshness.isFresh()).toBe(true)
})

test('if each poll takes longer than a second, calls wait for the next one and are served', async () => {
  const freshness = createFreshness()
  let passedMs = 0
  const now = performance.now()
  vi.spyOn(performance, 'now').mockImplementation(() => now + passedMs)
  for (let n = 0; n < 3; n++) {
    const applied = freshness.begin()
    passedMs += PAUSE_MS
    const served = freshness.untilFresh()
    applied()
    freshness.begin()()
    await served
  }
})

test('setting the clock back has no effect', () => {
  const freshness = createFreshness()
  const now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => now - 3_600_000)
  expect(freshness.isFresh()).toBe(true)
})

test('waiting calls are rejected when the poll fails', async () => {
  const freshness = createFreshness()
  const now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => now + PAUSE_MS)
  const served = freshness.untilFresh()
  freshness.failed()
  await expect(served).rejects.toMatchObject({ status: 503, code: 'unavailable' })
})
