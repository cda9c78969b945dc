import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startRetrying } from './use-retry.ts'

const network = new EventTarget()

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('window', network)
})
afterEach(() => {
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** Attempts that take a minute each, as on a network without any response. */
function slowTries() {
  let underWay = 0
  let most = 0
  let count = 0
  const act = async () => {
    count++
    most = Math.max(most, ++underWay)
    await new Promise((resolve) => setTimeout(resolve, 60_000))
    underWay--
  }
  return { act, count: () => count, most: () => most }
}

test('attempts never overlap, even if the network returns during one', async () => {
  const { act, count, most } = slowTries()
  const stop = startRetrying(act)
  await vi.advanceTimersByTimeAsync(5000)
  expect(count()).toBe(1)
  network.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(300_000)
  stop()
  expect(count()).toBeGreaterThan(1)
  expect(most()).toBe(1)
  const before = count()
  await vi.advanceTimersByTimeAsync(300_000)
  expect(count()).toBe(before)
})

test('delays grow, and are reset when the network returns', async () => {
  let count = 0
  const stop = startRetrying(async () => void count++)
  await vi.advanceTimersByTimeAsync(600_000)
  // After the first few, one in 15 to 30 seconds.
  expect(count).toBeLessThan(50)
  const before = count
  network.dispatchEvent(new Event('online'))
  expect(count).toBe(before + 1)
  await vi.advanceTimersByTimeAsync(3000)
  expect(count).toBeGreaterThan(before + 1)
  stop()
})
