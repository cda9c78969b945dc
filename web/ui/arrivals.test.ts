import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { hasJustArrived, latestArrival, noteArrival } from './arrivals.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what arrives has just arrived for a moment', () => {
  noteArrival('message')
  expect(hasJustArrived('message')).toBe(true)
  expect(hasJustArrived('other')).toBe(false)
  vi.advanceTimersByTime(1000)
  expect(hasJustArrived('message')).toBe(false)
})

test('a second arrival of the same prolongs it', () => {
  noteArrival('reaction')
  vi.advanceTimersByTime(900)
  noteArrival('reaction')
  vi.advanceTimersByTime(900)
  expect(hasJustArrived('reaction')).toBe(true)
})

test('for a list, only what comes after it was opened has just arrived', () => {
  noteArrival('before')
  const opened = latestArrival()
  noteArrival('after')
  expect(hasJustArrived('before', opened)).toBe(false)
  expect(hasJustArrived('after', opened)).toBe(true)
})

test('neither the clock of the device nor that of the server matters', () => {
  noteArrival('mine')
  vi.setSystemTime(Date.now() + 3_600_000)
  expect(hasJustArrived('mine')).toBe(true)
  vi.setSystemTime(Date.now() - 7_200_000)
  expect(hasJustArrived('mine')).toBe(true)
})
