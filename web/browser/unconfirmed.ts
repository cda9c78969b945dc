import { notifyManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { createWatchers } from '../ui/watchers.ts'

type Part = 'channels' | 'messages'

/** The parts of the query cache that are from the device cache and not yet compared with the server. */
const parts = new Set<Part>()
let isShown = false
const { watch, notify } = createWatchers()

export function markUnconfirmed() {
  parts.add('channels').add('messages')
  tell()
}

/** Call when a part of the cache has caught up with the server, or was dropped. */
export function confirm(part?: Part) {
  if (part) parts.delete(part)
  else parts.clear()
  // After the last missing changes of the cache, so that they do not count as news.
  if (!isUnconfirmed()) notifyManager.schedule(tell)
}

function tell() {
  isShown = isUnconfirmed()
  notify()
}

export const isUnconfirmed = () => parts.size > 0

/** The state for components, which learn of the confirmation after the changes that led to it. */
export const shownUnconfirmed = { watch, get: () => isShown }

/** Whether the page shows data from the device cache that was not yet compared with the server. */
export const useIsUnconfirmed = () => useSyncExternalStore(shownUnconfirmed.watch, shownUnconfirmed.get)
