import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { bearer, clearToken, setSessionUser } from './session.ts'

const DAY_MS = 24 * 60 * 60_000

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  clearToken()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** An identity whose tokens live for so many milliseconds; answers how often it was asked for one. */
function identity(lifeMs: number) {
  let asked = 0
  vi.stubGlobal('fetch', async () => {
    asked++
    const claims = btoa(JSON.stringify({ sub: 'ada', exp: Math.floor((Date.now() + lifeMs) / 1000) }))
    return Response.json({ token: `head.${claims}.sign` })
  })
  setSessionUser('ada')
  return () => asked
}

test('a token that lives longer than a timer can wait is not renewed over and over', async () => {
  const asked = identity(60 * DAY_MS)
  await bearer()
  await vi.advanceTimersByTimeAsync(10_000)
  expect(asked()).toBe(1)
  await vi.advanceTimersByTimeAsync(24 * DAY_MS)
  expect(asked()).toBe(1)
  await vi.advanceTimersByTimeAsync(DAY_MS)
  expect(asked()).toBe(2)
})
