import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// The database code never loads.
vi.mock('./outbox-database.ts', () => new Promise(() => {}))

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('indexedDB', {})
  vi.spyOn(console, 'error').mockImplementation(() => {})
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

test('if the database code does not load, a message waits for it only once, and loading is retried later', async () => {
  const { isDatabaseAvailable, storedPending } = await import('./outbox-db.ts')
  let done = 0
  const step = async () => {
    expect(await storedPending('ada')).toBeUndefined()
    done++
  }
  void step().then(step).then(step)
  await vi.advanceTimersByTimeAsync(3000)
  expect(done).toBe(3)

  await vi.advanceTimersByTimeAsync(2000)
  void step()
  await vi.advanceTimersByTimeAsync(2000)
  expect(done).toBe(3)
  await vi.advanceTimersByTimeAsync(1000)
  expect(done).toBe(4)
  expect(isDatabaseAvailable()).toBe(true)
})
