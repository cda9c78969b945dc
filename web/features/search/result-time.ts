import { clockTime, sameDay } from '../../ui/format/clock-time.ts'
import { serverNow } from '../../ui/format/clock.ts'

const DAYS_BY_NAME = 6

/** '5:03 AM' today, 'Tue' in the last days, then 'Nov 12', with the year if it is another one. */
export function resultTime(time: string, now = new Date(serverNow())): string {
  const date = new Date(time)
  if (sameDay(date, now)) return clockTime(time)
  const firstByName = new Date(now.getFullYear(), now.getMonth(), now.getDate() - DAYS_BY_NAME)
  if (date >= firstByName && date < now) return date.toLocaleDateString(undefined, { weekday: 'short' })
  const year = date.getFullYear() === now.getFullYear() ? undefined : 'numeric'
  return date.toLocaleDateString(undefined, { day: 'numeric', month: 'short', year })
}
