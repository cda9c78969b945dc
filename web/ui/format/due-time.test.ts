import { expect, test } from 'vitest'
import { dueTime } from './due-time.ts'

/** Browsers write a narrow space before 'AM'. */
const shown = (time: Date, now: Date) => dueTime(time.toISOString(), now).replace(/\s/g, ' ')

test('a time to come is named by its day, unless it is today', () => {
  const now = new Date(2026, 11, 30, 14, 30)
  expect(shown(new Date(2026, 11, 30, 17, 5), now)).toBe('5:05 PM')
  expect(shown(new Date(2026, 11, 31, 9), now)).toBe('tomorrow, 9:00 AM')
  expect(shown(new Date(2026, 11, 28, 9), now)).toBe('Mon, Dec 28, 9:00 AM')
  expect(shown(new Date(2027, 0, 4, 9), now)).toBe('Mon, Jan 4, 2027, 9:00 AM')
})
