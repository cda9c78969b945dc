import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// A network that never delivers the code of the database.
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

test('if the code of the database does not load, the steps of a message wait for it once, and it is loaded again later', async () => {
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
