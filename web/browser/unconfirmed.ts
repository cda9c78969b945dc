import { notifyManager } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { createWatchers } from '../ui/watchers.ts'

type Part = 'channels' | 'messages'

/** What is cached from this device's own copy, and was not yet compared with the server. */
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
  // After the changes of the cache that were the last to be missing: what they bring is not taken for news.
  if (!isUnconfirmed()) notifyManager.schedule(tell)
}

function tell() {
  isShown = isUnconfirmed()
  notify()
}

export const isUnconfirmed = () => parts.size > 0

/** What components know: they learn of an end after what led to it. */
export const shownUnconfirmed = { watch, get: () => isShown }

/** Whether the page shows what this device kept, of which the server has not said yet what has changed since. */
export const useIsUnconfirmed = () => useSyncExternalStore(shownUnconfirmed.watch, shownUnconfirmed.get)
