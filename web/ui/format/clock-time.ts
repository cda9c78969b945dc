import { dateFormat } from '../../i18n/format.ts'
import { t } from '../../i18n/text.ts'
import { serverNow } from './clock.ts'
import { useLiveText } from './relative-time.ts'

const CLOCK = { hour: 'numeric', minute: '2-digit' } as const
const DAY = { weekday: 'long', day: 'numeric', month: 'long' } as const
const DAY_OF_ANOTHER_YEAR = { day: 'numeric', month: 'long', year: 'numeric' } as const
const DATE_AND_TIME = { dateStyle: 'full', timeStyle: 'short' } as const

/** '9:02 AM', in the reader's locale. */
export const clockTime = (time: string) => dateFormat(CLOCK).format(new Date(time))

/** '9:02', for the narrow gutter. */
export const gutterTime = (time: string) => {
  const parts = dateFormat(CLOCK).formatToParts(new Date(time))
  return parts
    .filter(({ type }) => type !== 'dayPeriod')
    .map(({ value }) => value)
    .join('')
    .trim()
}

export const wholeTime = (time: string) => dateFormat(DATE_AND_TIME).format(new Date(time))

export const sameDay = (a: Date, b: Date) => a.toDateString() === b.toDateString()

/** Whether a day is today or yesterday; undefined for any other. */
export function relativeDay(date: Date, now: Date): 'today' | 'yesterday' | undefined {
  if (sameDay(date, now)) return 'today'
  if (sameDay(date, new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1))) return 'yesterday'
  return undefined
}

/** 'Today', 'Yesterday', or the day by name. */
export function dayName(time: string, now = new Date(serverNow())): string {
  const date = new Date(time)
  const day = relativeDay(date, now)
  if (day) return t(day === 'today' ? 'time.today' : 'time.yesterday')
  return dateFormat(date.getFullYear() === now.getFullYear() ? DAY : DAY_OF_ANOTHER_YEAR).format(date)
}

/** The day name, updated at midnight. */
export const useDayName = (time: string) => useLiveText(() => dayName(time))
