import { afterEach, beforeEach, expect, test } from 'vitest'
import { momentsOf, readQuery } from '#contract/search-query'
import { localDay, withLocalDays } from './local-days.ts'

const HOUR_MS = 3600 * 1000

let zone: string | undefined
beforeEach(() => {
  zone = process.env['TZ']
  process.env['TZ'] = 'Pacific/Auckland'
})
afterEach(() => {
  if (zone === undefined) delete process.env['TZ']
  else process.env['TZ'] = zone
})

/** The range of times that the server searches for a query. */
function rangeOf(query: string) {
  const value = (filter: string) =>
    readQuery(withLocalDays(query))
      .filters.find(({ name }) => name === filter)
      ?.value.toUpperCase()
  return momentsOf(value('before'), value('after'))
}

test('days follow the local calendar', () => {
  // Saturday morning in Auckland, when it is still Friday in UTC.
  const now = new Date('2026-11-27T18:24:00Z')
  expect(localDay(now)).toBe('2026-11-28')
  expect(localDay(now, 1)).toBe('2026-11-27')
  expect(localDay(now, 30)).toBe('2026-10-29')
})

test('day filters cover local days', () => {
  const begin = Date.parse('2026-11-27T11:00:00Z')
  expect(rangeOf('before:2026-11-28 tea').until).toBe(begin)
  expect(rangeOf('after:2026-11-27').since).toBe(begin)
  expect(rangeOf('after:"2026-11-27" before:2026-11-29')).toEqual({ since: begin, until: begin + 24 * HOUR_MS })
  // The clocks change: a day of 23 hours.
  expect(rangeOf('after:2026-09-26 before:2026-09-28')).toEqual({
    since: Date.parse('2026-09-26T12:00:00Z'),
    until: Date.parse('2026-09-27T11:00:00Z'),
  })
  expect(rangeOf('after:0099-12-31').since).toBeLessThan(Date.parse('0100-01-02'))
})

test('the rest of a query stays unchanged', () => {
  for (const query of ['', ' tea  time ', 'from:me "before:2026-01-01"', 'after:2026-01-01T10:00Z x', 'before:soon'])
    expect(withLocalDays(query)).toBe(query)
  expect(withLocalDays('a BEFORE:2026-11-28 b after:2026-11-20 c')).toBe(
    'a before:2026-11-27T11:00:00.000Z b after:2026-11-20T10:59:59.999Z c',
  )
  // Times that the server rejects.
  expect(withLocalDays('before:0000-01-01')).toBe('before:0000-01-01')
})
