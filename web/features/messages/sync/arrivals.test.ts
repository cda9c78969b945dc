import { expect, test, vi } from 'vitest'
import { hasJustArrived, noteArrival } from './arrivals.ts'

test('a message of somebody else has just arrived for a moment', () => {
  vi.useFakeTimers()
  noteArrival({ id: 'theirs', userId: 'bob' }, 'ada')
  noteArrival({ id: 'mine', userId: 'ada' }, 'ada')
  expect(hasJustArrived('theirs')).toBe(true)
  expect(hasJustArrived('mine')).toBe(false)
  vi.advanceTimersByTime(1000)
  expect(hasJustArrived('theirs')).toBe(false)
  vi.useRealTimers()
})
