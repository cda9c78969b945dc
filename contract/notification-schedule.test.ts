import { expect, test } from 'vitest'
import { type NotificationSchedule, scheduleAt } from './notification-schedule.ts'

const WORKDAYS = [1, 2, 3, 4, 5]
const EVERY_DAY = [0, ...WORKDAYS, 6]
const at = (timeZone: string, days: number[], from: string, to: string): NotificationSchedule => ({
  days,
  from,
  to,
  timeZone,
})
const office = at('UTC', WORKDAYS, '09:00', '18:00')
const night = at('UTC', [5], '22:00', '06:00')
const wholeDays = at('UTC', WORKDAYS, '00:00', '00:00')
const berlin = (from: string, to: string) => at('Europe/Berlin', [0], from, to)
const newYork = (from: string, to: string) => at('America/New_York', [0], from, to)
const india = at('Asia/Kolkata', WORKDAYS, '09:00', '18:00')

/** In 2026, January 5, March 2, June 1 and November 2 are Mondays. The clocks change on March 29 and October 25 in Berlin. */
const cases: [title: string, NotificationSchedule, now: string, state: 'quiet' | 'open', until: string | null][] = [
  ['before work', office, '2026-01-05T08:59:59.999Z', 'quiet', '2026-01-05T09:00:00.000Z'],
  ['work begins', office, '2026-01-05T09:00:00.000Z', 'open', '2026-01-05T18:00:00.000Z'],
  ['just before work ends', office, '2026-01-05T17:59:59.999Z', 'open', '2026-01-05T18:00:00.000Z'],
  ['work ends', office, '2026-01-05T18:00:00.000Z', 'quiet', '2026-01-06T09:00:00.000Z'],
  ['Friday evening', office, '2026-01-09T20:00:00.000Z', 'quiet', '2026-01-12T09:00:00.000Z'],
  ['Sunday', office, '2026-01-11T12:00:00.000Z', 'quiet', '2026-01-12T09:00:00.000Z'],
  [
    'to the minute',
    at('UTC', WORKDAYS, '09:07', '09:08'),
    '2026-01-05T09:07:30.000Z',
    'open',
    '2026-01-05T09:08:00.000Z',
  ],

  ['Friday night begins', night, '2026-01-09T22:00:00.000Z', 'open', '2026-01-10T06:00:00.000Z'],
  ['after its midnight', night, '2026-01-10T05:59:00.000Z', 'open', '2026-01-10T06:00:00.000Z'],
  ['after it', night, '2026-01-10T06:00:00.000Z', 'quiet', '2026-01-16T22:00:00.000Z'],
  ['Friday morning belongs to Thursday', night, '2026-01-09T03:00:00.000Z', 'quiet', '2026-01-09T22:00:00.000Z'],

  ['whole days join', wholeDays, '2026-01-05T00:00:00.000Z', 'open', '2026-01-10T00:00:00.000Z'],
  ['a whole weekend off', wholeDays, '2026-01-10T00:00:00.000Z', 'quiet', '2026-01-12T00:00:00.000Z'],
  [
    'the same time in both is the calendar day',
    at('UTC', [1], '09:00', '09:00'),
    '2026-01-05T01:00:00.000Z',
    'open',
    '2026-01-06T00:00:00.000Z',
  ],
  ['all whole days', at('UTC', EVERY_DAY, '00:00', '00:00'), '2026-01-05T12:00:00.000Z', 'open', null],
  [
    'all whole days over a change of the clocks',
    at('Europe/Berlin', EVERY_DAY, '08:00', '08:00'),
    '2026-03-28T12:00:00.000Z',
    'open',
    null,
  ],
  [
    'hours until midnight join whole nights',
    at('UTC', [1, 2], '00:00', '00:00'),
    '2026-01-05T23:59:00.000Z',
    'open',
    '2026-01-07T00:00:00.000Z',
  ],
  [
    'a minute of quiet a day',
    at('UTC', EVERY_DAY, '09:00', '08:59'),
    '2026-01-05T08:59:30.000Z',
    'quiet',
    '2026-01-05T09:00:00.000Z',
  ],
  [
    'only Mondays, on a Monday evening',
    at('UTC', [1], '09:00', '10:00'),
    '2026-01-05T10:00:00.000Z',
    'quiet',
    '2026-01-12T09:00:00.000Z',
  ],

  [
    'winter',
    at('Europe/Berlin', WORKDAYS, '09:00', '18:00'),
    '2026-01-05T07:00:00.000Z',
    'quiet',
    '2026-01-05T08:00:00.000Z',
  ],
  [
    'summer',
    at('Europe/Berlin', WORKDAYS, '09:00', '18:00'),
    '2026-06-01T06:59:00.000Z',
    'quiet',
    '2026-06-01T07:00:00.000Z',
  ],
  [
    'the weekend in which summer begins',
    at('Europe/Berlin', WORKDAYS, '09:00', '18:00'),
    '2026-03-27T18:00:00.000Z',
    'quiet',
    '2026-03-30T07:00:00.000Z',
  ],
  [
    'the weekend in which summer ends',
    at('Europe/Berlin', WORKDAYS, '09:00', '18:00'),
    '2026-10-23T18:00:00.000Z',
    'quiet',
    '2026-10-26T08:00:00.000Z',
  ],
  ['a short day', berlin('00:00', '00:00'), '2026-03-28T23:00:00.000Z', 'open', '2026-03-29T22:00:00.000Z'],
  ['a long day', berlin('00:00', '00:00'), '2026-10-24T22:00:00.000Z', 'open', '2026-10-25T23:00:00.000Z'],
  [
    'hours begin with the skipped ones',
    berlin('02:30', '09:00'),
    '2026-03-29T00:59:59.000Z',
    'quiet',
    '2026-03-29T01:00:00.000Z',
  ],
  [
    'hours end with the skipped ones',
    berlin('01:00', '02:30'),
    '2026-03-29T00:30:00.000Z',
    'open',
    '2026-03-29T01:00:00.000Z',
  ],
  [
    'skipped hours do not happen',
    berlin('02:10', '02:40'),
    '2026-03-29T00:00:00.000Z',
    'quiet',
    '2026-04-05T00:10:00.000Z',
  ],
  [
    'skipped quiet does not happen',
    at('Europe/Berlin', EVERY_DAY, '02:40', '02:10'),
    '2026-03-28T12:00:00.000Z',
    'open',
    '2026-03-30T00:10:00.000Z',
  ],
  [
    'hours begin once when clocks show them twice',
    berlin('02:30', '09:00'),
    '2026-10-25T00:29:00.000Z',
    'quiet',
    '2026-10-25T00:30:00.000Z',
  ],
  ['and go on', berlin('02:30', '09:00'), '2026-10-25T01:10:00.000Z', 'open', '2026-10-25T08:00:00.000Z'],
  [
    'hours end once when clocks show them twice',
    berlin('01:00', '02:30'),
    '2026-10-25T00:10:00.000Z',
    'open',
    '2026-10-25T00:30:00.000Z',
  ],

  [
    'New York: hours begin with the skipped ones',
    newYork('02:30', '09:00'),
    '2026-03-08T06:30:00.000Z',
    'quiet',
    '2026-03-08T07:00:00.000Z',
  ],
  [
    'New York: a short night',
    newYork('01:00', '04:00'),
    '2026-03-08T06:30:00.000Z',
    'open',
    '2026-03-08T08:00:00.000Z',
  ],
  [
    'New York: a long night',
    newYork('01:30', '04:00'),
    '2026-11-01T05:29:00.000Z',
    'quiet',
    '2026-11-01T05:30:00.000Z',
  ],
  [
    'New York: and it goes on',
    newYork('01:30', '04:00'),
    '2026-11-01T06:10:00.000Z',
    'open',
    '2026-11-01T09:00:00.000Z',
  ],

  ['Kolkata: half an hour off', india, '2026-01-05T03:29:00.000Z', 'quiet', '2026-01-05T03:30:00.000Z'],
  [
    'Kolkata: Monday begins on Sunday in UTC',
    at('Asia/Kolkata', [1], '00:00', '00:00'),
    '2026-01-04T18:30:00.000Z',
    'open',
    '2026-01-05T18:30:00.000Z',
  ],
]

test.each(cases)('%s', (_, schedule, now, state, until) => {
  const { isQuiet, until: untilMs } = scheduleAt(schedule, Date.parse(now))
  expect([isQuiet ? 'quiet' : 'open', untilMs && new Date(untilMs).toISOString()]).toEqual([state, until])
})

test.each(['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe'])('in %s the state alternates', (timeZone) => {
  // Lord Howe's clocks move by half an hour.
  const hours = [
    ['22:15', '02:30'],
    ['02:30', '02:15'],
    ['01:45', '02:15'],
  ] as const
  for (const begin of ['2026-03-01T00:00:00.000Z', '2026-10-01T00:00:00.000Z'])
    for (const [from, to] of hours)
      for (const days of [WORKDAYS, [0], EVERY_DAY]) {
        const schedule = at(timeZone, days, from, to)
        let now = Date.parse(begin)
        let { isQuiet, until } = scheduleAt(schedule, now)
        for (let changes = 0; changes < 80; changes++) {
          const told = JSON.stringify({ schedule, now: new Date(now).toISOString() })
          expect(until, told).toBeGreaterThan(now)
          const change = until as number
          expect(scheduleAt(schedule, change - 1), told).toEqual({ isQuiet, until: change })
          const next = scheduleAt(schedule, change)
          expect(next.isQuiet, told).toBe(!isQuiet)
          now = change
          isQuiet = next.isQuiet
          until = next.until
        }
      }
})
