import { useSyncExternalStore } from 'react'
import { readTabItem, saveTabItem } from '../../../ui/device/local-storage.ts'
import { createWatchers } from '../../../ui/watchers.ts'
import { currentDrafts } from './current-drafts.ts'

// Whether the next reply of a thread is to be sent to its channel as well: a choice of this tab, kept when it is reloaded.

const { watch, notify } = createWatchers()

const itemOf = (threadId: string) => `parley.also.${currentDrafts().userId}.${threadId}`

export const isAlsoToChannel = (threadId: string) => readTabItem(itemOf(threadId)) !== undefined

export const useAlsoToChannel = (threadId: string | null) =>
  useSyncExternalStore(watch, () => threadId !== null && isAlsoToChannel(threadId))

export function setAlsoToChannel(threadId: string, isChosen: boolean) {
  saveTabItem(itemOf(threadId), isChosen ? 'yes' : undefined)
  notify()
}
