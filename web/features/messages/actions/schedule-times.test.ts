import { expect, test } from 'vitest'
import { nextMorning, scheduleTimes } from './schedule-times.ts'

const morning = (zone: string, now: string) => nextMorning(zone, new Date(now))?.toISOString()

test.each([
  ['later today', 'America/New_York', '2026-06-10T08:00:00Z', '2026-06-10T13:00:00.000Z'],
  ['tomorrow, once it has passed', 'America/New_York', '2026-06-10T13:00:00Z', '2026-06-11T13:00:00.000Z'],
  ['of a zone that is a day ahead', 'Pacific/Auckland', '2026-06-10T22:00:00Z', '2026-06-11T21:00:00.000Z'],
  ['of a zone with a half hour', 'Asia/Kolkata', '2026-06-10T10:00:00Z', '2026-06-11T03:30:00.000Z'],
  ['after the clocks go forward', 'Europe/Berlin', '2026-03-28T20:00:00Z', '2026-03-29T07:00:00.000Z'],
  ['after the clocks go back', 'Europe/Berlin', '2026-10-24T20:00:00Z', '2026-10-25T08:00:00.000Z'],
])('the next morning is %s', (_, zone, now, expected) => {
  expect(morning(zone, now)).toBe(expected)
})

test('an unknown zone has no morning', () => {
  expect(morning('Mars/Olympus', '2026-06-10T08:00:00Z')).toBeUndefined()
})

test('the morning of the other person is offered in its place, unless it is one of mine', () => {
  const now = new Date(2026, 5, 10, 12)
  const own = scheduleTimes(now).map(({ choice }) => choice)
  expect(own).toEqual(['hours', 'tomorrow', 'monday'])
  const here = Intl.DateTimeFormat().resolvedOptions().timeZone
  expect(scheduleTimes(now, here).map(({ choice }) => choice)).toEqual(own)
  const offset = now.getTimezoneOffset()
  // Two hours west of here.
  const west = `Etc/GMT${offset / 60 + 2 >= 0 ? '+' : ''}${Math.round(offset / 60) + 2}`
  const times = scheduleTimes(now, west)
  expect(times.map(({ choice }) => choice)).toEqual(['hours', 'tomorrow', 'monday', 'theirs'])
})
