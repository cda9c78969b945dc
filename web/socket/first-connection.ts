import { useSyncExternalStore } from 'react'
import { createWatchers } from '../ui/watchers.ts'

/** How long deferred queries wait for the first connection. */
const CONNECTION_TIMEOUT_MS = 5000

let isLive = false
const { watch, notify } = createWatchers(() => {
  const timer = setTimeout(goLive, CONNECTION_TIMEOUT_MS)
  return () => clearTimeout(timer)
})

/** Marks the first connection as established: from now on fetches and events leave no gap. */
export function goLive() {
  isLive = true
  notify()
}

/**
 * Whether the first connection is established, or takes too long. Queries that the first render does not need wait for
 * it; otherwise they would have to be refetched.
 */
export const useIsLive = () => useSyncExternalStore(watch, () => isLive)
