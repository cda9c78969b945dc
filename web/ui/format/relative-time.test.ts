import { expect, test } from 'vitest'
import { relativeTime } from './relative-time.ts'

const now = Date.parse('2026-11-20T12:00:00.000Z')
const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const ago = (ms: number) => relativeTime(new Date(now - ms).toISOString(), now)

test.each([
  [0, 'just now'],
  [59 * SECOND + 999, 'just now'],
  [MINUTE, '1m ago'],
  [12 * MINUTE + 59 * SECOND, '12m ago'],
  [HOUR - 1, '59m ago'],
  [HOUR, '1h ago'],
  [DAY - 1, '23h ago'],
  [DAY, '1d ago'],
  [6 * DAY, '6d ago'],
  [7 * DAY - 1, '6d ago'],
])('%i ms ago is %s', (ms, text) => {
  expect(ago(ms)).toBe(text)
})

test('a time a week ago is shown as a date', () => {
  expect(ago(7 * DAY)).toBe('Nov 13')
  expect(ago(400 * DAY)).toBe('Oct 16, 2025')
})

test('a time in the future is shown as just now', () => {
  expect(ago(-5 * MINUTE)).toBe('just now')
})
