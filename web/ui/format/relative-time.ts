import { useSyncExternalStore } from 'react'
import { t } from '../../i18n/text.ts'
import { createWatchers } from '../watchers.ts'
import { serverNow } from './clock.ts'
import { shortDate } from './short-date.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** 'just now', '12m ago', '3h ago', '6d ago', then 'Nov 12' or 'Nov 12, 2025'. */
export function relativeTime(time: string, now = serverNow()): string {
  const ago = now - Date.parse(time)
  if (ago < MINUTE_MS) return t('time.justNow')
  if (ago < HOUR_MS) return t('time.minutesAgo', { count: Math.floor(ago / MINUTE_MS) })
  if (ago < DAY_MS) return t('time.hoursAgo', { count: Math.floor(ago / HOUR_MS) })
  if (ago < 7 * DAY_MS) return t('time.daysAgo', { count: Math.floor(ago / DAY_MS) })
  return shortDate(time, new Date(now))
}

/** A text that depends on the current time. Renders again only when it changes. */
export const useLiveText = (getText: () => string) => useSyncExternalStore(watch, getText)

export const useRelativeTime = (time: string) => useLiveText(() => relativeTime(time))

const TICK_MS = 10_000

const { watch, notify } = createWatchers(() => {
  const clock = setInterval(notify, TICK_MS)
  return () => clearInterval(clock)
})
