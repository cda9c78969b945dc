import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bearer, clearToken, setSessionUser } from './session.ts'

const DAY_MS = 24 * 60 * 60_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  clearToken()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** An identity API whose tokens have this lifetime. Returns a function that counts the requests. */
function identity(lifeMs: number) {
  let requests = 0
  vi.stubGlobal('fetch', async () => {
    requests++
    const claims = btoa(JSON.stringify({ sub: 'ada', exp: Math.floor((Date.now() + lifeMs) / 1000) }))
    return Response.json({ token: `head.${claims}.sign` })
  })
  setSessionUser('ada')
  return () => requests
}

test('a token that outlives the longest timer is not renewed in a loop', async () => {
  const requests = identity(60 * DAY_MS)
  await bearer()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(requests()).toBe(1)
  await vi.advanceTimersByTimeAsync(24 * DAY_MS)
  expect(requests()).toBe(1)
  await vi.advanceTimersByTimeAsync(DAY_MS)
  expect(requests()).toBe(2)
})
