import { useSyncExternalStore } from 'react'
import { createWatchers } from '../../../ui/watchers.ts'
import { Drafts } from './drafts.ts'

const { watch, notify } = createWatchers()
export const watchDrafts = watch

/** The signed-in user's drafts. Without a user, they last only as long as the page. */
let current = new Drafts(undefined, notify)
export const currentDrafts = () => current

export function openDrafts(userId: string) {
  if (current.userId === userId) return
  current.close()
  current = new Drafts(userId, notify)
  notify()
}

/** Deletes the user's drafts from this device. */
export function dropDrafts() {
  current.destroy()
  current = new Drafts(undefined, notify)
}

export const useDraft = (conversation: string) => useSyncExternalStore(watchDrafts, () => current.get(conversation))
