import { serverNow } from './clock.ts'
import { useLiveText } from './relative-time.ts'

const clock = new Intl.DateTimeFormat(undefined, { hour: 'numeric', minute: '2-digit' })
const day = new Intl.DateTimeFormat(undefined, { weekday: 'long', day: 'numeric', month: 'long' })
const dayOfAnotherYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' })
const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'short' })

/** '9:02 AM', in the reader's locale. */
export const clockTime = (time: string) => clock.format(new Date(time))

/** '9:02', for the narrow gutter. */
export const gutterTime = (time: string) => {
  const parts = clock.formatToParts(new Date(time))
  return parts
    .filter(({ type }) => type !== 'dayPeriod')
    .map(({ value }) => value)
    .join('')
    .trim()
}

export const wholeTime = (time: string) => dateAndTime.format(new Date(time))

export const sameDay = (a: Date, b: Date) => a.toDateString() === b.toDateString()

/** 'Today', 'Yesterday', or the day by name. */
export function dayName(time: string, now = new Date(serverNow())): string {
  const date = new Date(time)
  if (sameDay(date, now)) return 'Today'
  if (sameDay(date, new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1))) return 'Yesterday'
  return (date.getFullYear() === now.getFullYear() ? day : dayOfAnotherYear).format(date)
}

/** The day name, updated at midnight. */
export const useDayName = (time: string) => useLiveText(() => dayName(time))
