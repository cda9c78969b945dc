import { useSyncExternalStore } from 'react'
import { createWatchers } from '../watchers.ts'
import { serverNow } from './clock.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** 'just now', '12m ago', '3h ago', '6d ago', then the date as the reader's language has it. */
export function relativeTime(time: string, now = serverNow()): string {
  const ago = now - Date.parse(time)
  if (ago < MINUTE_MS) return 'just now'
  if (ago < HOUR_MS) return `${Math.floor(ago / MINUTE_MS)}m ago`
  if (ago < DAY_MS) return `${Math.floor(ago / HOUR_MS)}h ago`
  if (ago < 7 * DAY_MS) return `${Math.floor(ago / DAY_MS)}d ago`
  return new Date(time).toLocaleDateString()
}

/** Words that change as time goes by. Who shows them is drawn anew only when they do. */
export const useLiveText = (words: () => string) => useSyncExternalStore(watch, words)

export const useRelativeTime = (time: string) => useLiveText(() => relativeTime(time))

/** Milliseconds that the words may be late. */
const TICK_MS = 10_000

const { watch, notify } = createWatchers(() => {
  const clock = setInterval(notify, TICK_MS)
  return () => clearInterval(clock)
})
