import { useSyncExternalStore } from 'react'
import { keep, keysFrom, recallJson } from '../../ui/device-memory.ts'

// Drafts are kept in localStorage, and not where the outbox is: a page that goes away can still write there, while it
// would not live to see a database answer. It also tells the other tabs what changed.

/** What stands in a box, and why it came back if the server refused it. */
export interface Draft {
  text: string
  refusal?: string
}

// A box is where one writes: its id is that of the channel or, in a thread, that of the parent.

const empty: Draft = { text: '' }
/** Milliseconds after a keystroke until it is kept. */
const SOON = 300
/** Milliseconds after a keystroke during which a box is being written in: no other tab changes it. */
const WRITING = 5000

const drafts = new Map<string, Draft>()
const watchers = new Set<() => void>()
/** The boxes on screen: how to put the focus into each. */
const boxes = new Map<string, () => void>()

/** Whose drafts these are. Nobody's are not kept. */
let owner: string | undefined
/** Boxes that changed and are not kept as they are. */
const unsaved = new Set<string>()
const writtenAt = new Map<string, number>()
let timer: ReturnType<typeof setTimeout> | undefined

export function useDraft(box: string) {
  return useSyncExternalStore(watch, () => draftOf(box))
}

export const draftOf = (box: string): Draft => drafts.get(box) ?? empty

export function setDraft(box: string, draft: Draft) {
  put(box, draft)
  unsaved.add(box)
  writtenAt.set(box, Date.now())
  // What was sent is no draft any more, in the other tabs neither: one of them may put something else into its box.
  if (draft.text === '') saveDrafts()
  else timer ??= setTimeout(saveDrafts, SOON)
}

/** Shows what a person left in the boxes on this device; what somebody else left stays unseen. */
export function openDrafts(userId: string) {
  if (owner === userId) return
  forgetDrafts()
  owner = userId
  for (const key of keysFrom(keyOf(''))) hear(key.slice(keyOf('').length), recallJson(key))
  globalThis.addEventListener?.('storage', onStorage)
  globalThis.addEventListener?.('pagehide', saveDrafts)
  // A phone may end a page that it hides without another word.
  globalThis.document?.addEventListener('visibilitychange', saveDrafts)
}

export function forgetDrafts() {
  saveDrafts()
  owner = undefined
  writtenAt.clear()
  drafts.clear()
  tell()
}

/** Takes the person's drafts from this device. They left, and the next person at it may be another one. */
export function dropDrafts() {
  if (owner) for (const key of keysFrom(keyOf(''))) keep(key)
  unsaved.clear()
  forgetDrafts()
}

/** Keeps now what was written last. */
export function saveDrafts() {
  clearTimeout(timer)
  timer = undefined
  if (owner) {
    for (const box of unsaved) {
      const draft = drafts.get(box)
      keep(keyOf(box), draft && JSON.stringify(draft))
    }
  }
  unsaved.clear()
}

const keyOf = (box: string) => `parley.draft.${owner}.${box}`

/** Another tab kept something, or took everything away. */
function onStorage({ key, newValue }: StorageEvent) {
  if (!owner || !key?.startsWith(keyOf(''))) return
  const box = key.slice(keyOf('').length)
  const isWritten = draftOf(box).text !== '' && Date.now() - (writtenAt.get(box) ?? 0) < WRITING
  if (isWritten) return
  // From here on it is what the other tab wrote, and that one may go on with it.
  writtenAt.delete(box)
  hear(box, newValue === null ? empty : recallJson(key))
}

function hear(box: string, kept: unknown) {
  const { text, refusal } = (kept ?? empty) as Partial<Draft>
  if (typeof text === 'string') put(box, { text, ...(typeof refusal === 'string' && { refusal }) })
}

function put(box: string, draft: Draft) {
  if (draft.text === '' && !draft.refusal) drafts.delete(box)
  else drafts.set(box, draft)
  tell()
}

/** Says that a box is on screen, and how it takes the focus; answers how to take that back. */
export function showBox(box: string, focus: () => void) {
  boxes.set(box, focus)
  return () => void boxes.delete(box)
}

/** Whether what comes back to a box is seen there. */
export const isBoxShown = (box: string) => boxes.has(box)

export const focusBox = (box: string) => boxes.get(box)?.()

function tell() {
  for (const watcher of watchers) watcher()
}

function watch(watcher: () => void) {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
