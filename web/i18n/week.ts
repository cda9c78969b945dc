import { dateFormat } from './format.ts'
import { locale } from './language.ts'

const DAY_MS = 24 * 3_600_000
const SUNDAY_MS = Date.UTC(2026, 0, 4)

/** The name of a day of the week, 0 for Sunday. */
export const weekdayName = (day: number, weekday: 'short' | 'long') =>
  dateFormat({ weekday, timeZone: 'UTC' }).format(SUNDAY_MS + day * DAY_MS)

/** The days of the week, 0 for Sunday, from the first one where the reader lives. */
export function weekdays(): number[] {
  const { firstDay } = weekInfo() ?? { firstDay: 1 }
  return Array.from({ length: 7 }, (_, nth) => (firstDay + nth) % 7)
}

/** Some browsers don't know it, or have it as a property. */
function weekInfo() {
  const from = new Intl.Locale(locale()) as {
    getWeekInfo?: () => { firstDay: number }
    weekInfo?: { firstDay: number }
  }
  return from.getWeekInfo?.() ?? from.weekInfo
}
