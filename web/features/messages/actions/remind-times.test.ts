import { afterEach, describe, expect, test, vi } from 'vitest'
import { ownTime, remindTimes, timeFrom } from './remind-times.ts'

const timesAt = (now: Date) => Object.fromEntries(remindTimes(now).map(({ choice, time }) => [choice, time]))

test('a reminder is set to some minutes or hours from now, tomorrow morning, or next Monday', () => {
  const wednesday = new Date(2026, 11, 2, 14, 30)
  expect(timesAt(wednesday)).toEqual({
    minutes: new Date(2026, 11, 2, 14, 50),
    hours: new Date(2026, 11, 2, 17, 30),
    tomorrow: new Date(2026, 11, 3, 9),
    monday: new Date(2026, 11, 7, 9),
  })
  expect(timesAt(new Date(2026, 11, 7, 8))['monday']).toEqual(new Date(2026, 11, 14, 9))
  // The last day of a year.
  expect(timesAt(new Date(2026, 11, 31, 23, 59))['tomorrow']).toEqual(new Date(2027, 0, 1, 9))
})

test('on Sundays, tomorrow is Monday', () => {
  expect(Object.keys(timesAt(new Date(2026, 11, 6, 12)))).toEqual(['minutes', 'hours', 'tomorrow'])
})

describe('where clocks change', () => {
  afterEach(() => vi.unstubAllEnvs())

  test('tomorrow morning stays at nine, and hours stay hours', () => {
    vi.stubEnv('TZ', 'Europe/Berlin')
    expect(new Date('2026-03-28T12:00:00Z').getHours()).toBe(13)
    // The night in which an hour is skipped, and the one in which an hour comes twice.
    const spring = timesAt(new Date('2026-03-28T22:30:00Z'))
    expect(spring['tomorrow']?.toISOString()).toBe('2026-03-29T07:00:00.000Z')
    expect(spring['hours']?.toISOString()).toBe('2026-03-29T01:30:00.000Z')
    const autumn = timesAt(new Date('2026-10-24T22:30:00Z'))
    expect(autumn['tomorrow']?.toISOString()).toBe('2026-10-26T08:00:00.000Z')
    expect(autumn['hours']?.toISOString()).toBe('2026-10-25T01:30:00.000Z')
    // A time that is skipped is an hour later.
    expect(ownTime('2026-03-29T02:30', new Date('2026-03-28T22:30:00Z'))?.toISOString()).toBe(
      '2026-03-29T01:30:00.000Z',
    )
  })
})

test('a time of one’s own is within the next year', () => {
  const now = new Date(2026, 11, 2, 14, 30, 20)
  expect(ownTime('2026-12-02T14:31', now)).toEqual(new Date(2026, 11, 2, 14, 31))
  for (const value of ['', '2026-12-02T14:30', '2025-12-02T14:31', '2027-12-03T14:31', '275760-09-13T00:00'])
    expect(ownTime(value, now), value).toBeUndefined()
})

test('a choice means the morning that was shown, or so long from the click', () => {
  const before = new Date(2026, 11, 1, 23, 59)
  const after = new Date(2026, 11, 2, 0, 1)
  const shown = remindTimes(before).find(({ choice }) => choice === 'tomorrow')?.time as Date
  expect(timeFrom('tomorrow', shown, after)).toEqual(new Date(2026, 11, 2, 9))
  expect(timeFrom('minutes', shown, after)).toEqual(new Date(2026, 11, 2, 0, 21))
})
