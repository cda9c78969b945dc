import { dateFormat } from '../../i18n/format.ts'
import { t } from '../../i18n/text.ts'
import { serverNow } from './clock.ts'
import { clockTime, sameDay } from './clock-time.ts'

const DATE_AND_TIME = { weekday: 'short', day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' } as const

/** '9:00 AM' today, 'tomorrow, 9:00 AM', 'Mon, Dec 7, 9:00 AM'; in another year with the year. */
export function dueTime(time: string, now = new Date(serverNow())): string {
  const date = new Date(time)
  if (sameDay(date, now)) return clockTime(time)
  if (sameDay(date, new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1)))
    return t('time.tomorrowAt', { time: clockTime(time) })
  const isThisYear = date.getFullYear() === now.getFullYear()
  return dateFormat({ ...DATE_AND_TIME, ...(isThisYear ? {} : { year: 'numeric' }) }).format(date)
}
