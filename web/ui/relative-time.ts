import { useSyncExternalStore } from 'react'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** 'just now', '12m ago', '3h ago', '6d ago', then the date as the reader's language has it. */
export function relativeTime(time: string, now = Date.now()): string {
  const ago = now - Date.parse(time)
  if (ago < MINUTE) return 'just now'
  if (ago < HOUR) return `${Math.floor(ago / MINUTE)}m ago`
  if (ago < DAY) return `${Math.floor(ago / HOUR)}h ago`
  if (ago < 7 * DAY) return `${Math.floor(ago / DAY)}d ago`
  return new Date(time).toLocaleDateString()
}

/** The same as time goes by. Who shows it is drawn anew only when the words change. */
export const useRelativeTime = (time: string) => useSyncExternalStore(watch, () => relativeTime(time))

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
