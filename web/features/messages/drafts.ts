import { useSyncExternalStore } from 'react'

/** What stands in a channel's box, and why it came back if the server refused it. */
export interface Draft {
  text: string
  refusal?: string
}

const empty: Draft = { text: '' }
const drafts = new Map<string, Draft>()
const watchers = new Set<() => void>()

export function useDraft(channelId: string) {
  return useSyncExternalStore(watch, () => draftOf(channelId))
}

export const draftOf = (channelId: string): Draft => drafts.get(channelId) ?? empty

export function setDraft(channelId: string, draft: Draft) {
  if (draft.text === '' && !draft.refusal) drafts.delete(channelId)
  else drafts.set(channelId, draft)
  for (const watcher of watchers) watcher()
}

export function dropDrafts() {
  drafts.clear()
  for (const watcher of watchers) watcher()
}

function watch(watcher: () => void) {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
