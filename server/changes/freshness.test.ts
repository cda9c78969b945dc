import { expect, test, vi } from 'vitest'
import { createFreshness } from './freshness.ts'

const PAUSE_MS = 1500

test.each([
  ['paused', performance],
  ['suspended with its machine, whose other clock stands still', Date],
] as const)('after it was %s, a process waits for a poll that began afterwards', async (_, clock) => {
  const freshness = createFreshness()
  const stale = vi.fn()
  const fresh = vi.fn()
  freshness.follow(stale, fresh)
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
  beforeThePause()
  await new Promise(setImmediate)
  expect(isServed).toBe(false)
  expect(fresh).not.toHaveBeenCalled()
  // Each asks for a poll: who waits, and the poll that came too late.
  expect(stale).toHaveBeenCalledTimes(2)

  freshness.begin()()
  await served
  expect(fresh).toHaveBeenCalledOnce()
  expect(freshness.isFresh()).toBe(true)
})

test('a clock that is set back changes nothing', () => {
  const freshness = createFreshness()
  const now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => now - 3_600_000)
  expect(freshness.isFresh()).toBe(true)
})

test('whoever waits is refused when the poll fails', async () => {
  const freshness = createFreshness()
  const now = Date.now()
  vi.spyOn(Date, 'now').mockImplementation(() => now + PAUSE_MS)
  const served = freshness.untilFresh()
  freshness.failed()
  await expect(served).rejects.toMatchObject({ status: 503, code: 'unavailable' })
})
