import { dateFormat } from '../../i18n/format.ts'
import { serverNow } from './clock.ts'
import { clockTime, sameDay } from './clock-time.ts'
import { shortDate } from './short-date.ts'

const DAYS_BY_NAME = 6

/** '5:03 AM' today, 'Tue' in the last few days, otherwise as `shortDate`. */
export function shortTime(time: string, now = new Date(serverNow())): string {
  const date = new Date(time)
  if (sameDay(date, now)) return clockTime(time)
  const firstByName = new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS_BY_NAME)
  if (date >= firstByName && date < now) return dateFormat({ weekday: 'short' }).format(date)
  return shortDate(time, now)
}
