import { afterEach, expect, test } from 'vitest'
import { compareNames, formatList, formatNumber } from '../../i18n/format.ts'
import { showLanguage } from '../../i18n/language.ts'
import { clockTime, wholeTime } from './clock-time.ts'
import { shortDate } from './short-date.ts'

afterEach(() => showLanguage('en'))

const TIME = new Date(2025, 10, 5, 15, 7).toISOString()
const now = new Date(2026, 10, 22)
const shown = () => [clockTime(TIME), shortDate(TIME, now), wholeTime(TIME), formatNumber(12_345)]

test('dates, times, numbers and lists follow a change of the language', async () => {
  expect(shown()).toEqual(['3:07 PM', 'Nov 5, 2025', 'Wednesday, November 5, 2025 at 3:07 PM', '12,345'])
  expect(formatList(['Ada', 'Bob', 'Eve'])).toBe('Ada, Bob and Eve')
  await showLanguage('de')
  expect(shown()).toEqual(['15:07', '5. Nov. 2025', 'Mittwoch, 5. November 2025 um 15:07', '12.345'])
  expect(formatList(['Ada', 'Bob', 'Eve'])).toBe('Ada, Bob und Eve')
})

test('names are sorted by the rules of the language, and numbers in them by value', async () => {
  expect(['team-10', 'zoo', 'älter', 'Team-2'].sort(compareNames)).toEqual(['älter', 'Team-2', 'team-10', 'zoo'])
})
