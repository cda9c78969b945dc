import { expect, test } from 'vitest'
import { localTime } from '../../ui/format/local-time.ts'
import { endOf } from './status-end.ts'

const wednesday = new Date(2026, 2, 4, 14, 30)

test('a status ends after minutes, with the day, or with the week’s Sunday', () => {
  expect(endOf('never', wednesday)).toBe(null)
  expect(endOf('30', wednesday)).toEqual(new Date(2026, 2, 4, 15, 0))
  expect(endOf('240', wednesday)).toEqual(new Date(2026, 2, 4, 18, 30))
  expect(endOf('today', wednesday)).toEqual(new Date(2026, 2, 4, 23, 59, 59, 999))
  expect(endOf('week', wednesday)).toEqual(new Date(2026, 2, 8, 23, 59, 59, 999))
  expect(endOf('week', new Date(2026, 2, 8, 9, 0))).toEqual(new Date(2026, 2, 8, 23, 59, 59, 999))
})

test('a custom time is local, and written in the format of its field', () => {
  expect(endOf('custom', wednesday, localTime(wednesday))).toEqual(wednesday)
  expect(localTime(new Date(2026, 0, 5, 7, 3))).toBe('2026-01-05T07:03')
  expect(endOf('custom', wednesday, '')).toBe(null)
})
