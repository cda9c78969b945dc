import { expect, test } from 'vitest'
import { typingPace } from './typing-pace.ts'

test('others are told every three seconds that somebody is typing', () => {
  const isDue = typingPace()
  const told = Array.from({ length: 80 }, (_, nth) => nth * 100).filter((now) => isDue('a text', now, true))
  expect(told).toEqual([0, 3000, 6000])
})

test('blank text is not typing, and the text after it is told at once', () => {
  const isDue = typingPace()
  expect(isDue('  ', 0, true)).toBe(false)
  expect(isDue('a', 10, true)).toBe(true)
  expect(isDue('ab', 20, true)).toBe(false)
  // As when it was sent.
  expect(isDue('', 30, true)).toBe(false)
  expect(isDue('n', 40, true)).toBe(true)
})

test('without a connection nobody is told, and with it again at once', () => {
  const isDue = typingPace()
  expect(isDue('a', 0, false)).toBe(false)
  expect(isDue('ab', 10, true)).toBe(true)
})
