import { useSyncExternalStore } from 'react'

/** What stands in a box, and why it came back if the server refused it. */
export interface Draft {
  text: string
  refusal?: string
}

// A box is where one writes: its id is that of the channel or, in a thread, that of the parent.

const empty: Draft = { text: '' }
const drafts = new Map<string, Draft>()
const watchers = new Set<() => void>()
/** The boxes on screen: how to put the focus into each. */
const boxes = new Map<string, () => void>()

export function useDraft(box: string) {
  return useSyncExternalStore(watch, () => draftOf(box))
}

export const draftOf = (box: string): Draft => drafts.get(box) ?? empty

export function setDraft(box: string, draft: Draft) {
  if (draft.text === '' && !draft.refusal) drafts.delete(box)
  else drafts.set(box, draft)
  for (const watcher of watchers) watcher()
}

export function dropDrafts() {
  drafts.clear()
  for (const watcher of watchers) watcher()
}

/** Says that a box is on screen, and how it takes the focus; answers how to take that back. */
export function showBox(box: string, focus: () => void) {
  boxes.set(box, focus)
  return () => void boxes.delete(box)
}

/** Whether what comes back to a box is seen there. */
export const isBoxShown = (box: string) => boxes.has(box)

export const focusBox = (box: string) => boxes.get(box)?.()

function watch(watcher: () => void) {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
