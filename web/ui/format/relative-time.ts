import { useSyncExternalStore } from 'react'
import { serverNow } from './clock.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** 'just now', '12m ago', '3h ago', '6d ago', then the date as the reader's language has it. */
export function relativeTime(time: string, now = serverNow()): string {
  const ago = now - Date.parse(time)
  if (ago < MINUTE) return 'just now'
  if (ago < HOUR) return `${Math.floor(ago / MINUTE)}m ago`
  if (ago < DAY) return `${Math.floor(ago / HOUR)}h ago`
  if (ago < 7 * DAY) return `${Math.floor(ago / DAY)}d ago`
  return new Date(time).toLocaleDateString()
}

/** Words that change as time goes by. Who shows them is drawn anew only when they do. */
export const useAsTimeGoesBy = (words: () => string) => useSyncExternalStore(watch, words)

export const useRelativeTime = (time: string) => useAsTimeGoesBy(() => relativeTime(time))

/** Milliseconds that the words may be late. */
const TICK = 10_000

const watchers = new Set<() => void>()
let clock: ReturnType<typeof setInterval>

function watch(watcher: () => void) {
  if (watchers.size === 0)
    clock = setInterval(() => {
      for (const tick of watchers) tick()
    }, TICK)
  watchers.add(watcher)
  return () => {
    watchers.delete(watcher)
    if (watchers.size === 0) clearInterval(clock)
  }
}
