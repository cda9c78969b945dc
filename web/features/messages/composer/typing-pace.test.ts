import { expect, test } from 'vitest'
import { typingPace } from './typing-pace.ts'

test('typing is published every three seconds', () => {
  const isDue = typingPace()
  const told = Array.from({ length: 80 }, (_, nth) => nth * 100).filter((now) => isDue('a text', now, true))
  expect(told).toEqual([0, 3000, 6000])
})

test('blank text does not count as typing, and typing after it is published immediately', () => {
  const isDue = typingPace()
  expect(isDue('  ', 0, true)).toBe(false)
  expect(isDue('a', 10, true)).toBe(true)
  expect(isDue('ab', 20, true)).toBe(false)
  // As after sending.
  expect(isDue('', 30, true)).toBe(false)
  expect(isDue('n', 40, true)).toBe(true)
})

test('typing is not published while disconnected, and immediately after reconnecting', () => {
  const isDue = typingPace()
  expect(isDue('a', 0, false)).toBe(false)
  expect(isDue('ab', 10, true)).toBe(true)
})
