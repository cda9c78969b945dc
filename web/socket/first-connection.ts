import { useSyncExternalStore } from 'react'
import { createWatchers } from '../ui/watchers.ts'

/** Milliseconds that what a page shows later waits for its first connection. */
const CONNECTION_TIMEOUT_MS = 5000

let isCurrent = false
const { watch, notify } = createWatchers(() => {
  const timer = setTimeout(goLive, CONNECTION_TIMEOUT_MS)
  return () => clearTimeout(timer)
})

/** The first connection stands: what is read from here on, and what is told, leave no gap between them. */
export function goLive() {
  isCurrent = true
  notify()
}

/**
 * Whether the first connection stands, or takes too long. What a page does not begin with is read then, and not before:
 * it would have to be read again.
 */
export const useIsLive = () => useSyncExternalStore(watch, () => isCurrent)
