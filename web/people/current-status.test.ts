import { afterEach, expect, test, vi } from 'vitest'
import { hasEnded } from './current-status.ts'

afterEach(() => void vi.useRealTimers())

test('a status ends at its time, and never without one', () => {
  vi.useFakeTimers({ now: new Date('2026-03-04T12:00:00Z') })
  const status = { user_status: '🚲', statusText: 'On my way', statusUntil: '2026-03-04T13:00:00.000Z' }
  expect(hasEnded(status)).toBe(false)
  vi.advanceTimersByTime(3_600_000 - 1)
  expect(hasEnded(status)).toBe(false)
  vi.advanceTimersByTime(1)
  expect(hasEnded(status)).toBe(true)
  expect(hasEnded({ ...status, statusUntil: null })).toBe(false)
})
