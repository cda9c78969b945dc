import { useSyncExternalStore } from 'react'
import { v4 as uuid } from 'uuid'
import { keysWithPrefix, readJson, readTabItem, saveItem, saveTabItem } from '../../../ui/device/local-storage.ts'
import type { Target } from './pending-message.ts'

// Drafts are kept in localStorage, and not where the outbox is: a page that goes away can still write there, while it
// would not live to see a database answer. It also tells the other tabs what changed.
//
// Several tabs may write in the same box. Each entry carries a version, and a tab overwrites or removes only the version
// it shows. Where another tab put its own text there meanwhile, what was typed here gets an entry of its own beside it.

/** What stands in a box, and why it came back if the server refused it. */
export interface Draft {
  text: string
  refusal?: string
  /** Where it goes. */
  to?: Target
  /** Of an edit: the message as it was when the edit began. */
  edit?: { content: string; editedAt: string | null }
}

interface Entry extends Draft {
  version?: string
  /** The text that was sent from here: it is no draft any more, in whatever tab it stands. */
  sent?: string
}

// A box is where one writes: its id is that of the channel or, in a thread, that of the parent; of an edit see edits.ts.

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
/** When somebody typed last what a box shows; not there where it only shows what was kept. */
const typedAt = new Map<string, number>()
/** The entry of each box: its own, or another one beside it, and the version of it that this tab shows. */
const entries = new Map<string, string>()
const versions = new Map<string, string | undefined>()
let timer: ReturnType<typeof setTimeout> | undefined

export function useDraft(box: string) {
  return useSyncExternalStore(watchDrafts, () => draftOf(box))
}

export const draftOf = (box: string): Draft => drafts.get(box) ?? empty

/** Whether there is something in it that nobody has sent. */
export const isWritten = ({ text, edit }: Draft) => (edit ? text !== edit.content : text.trim() !== '')

/** Everything written and not sent, by the entry it is kept in; also what stands in no box of this tab. */
export function allDrafts() {
  const shown = [...drafts].map(([box, draft]) => ({ key: entryOf(box), box, draft, isOwn: true }))
  const others = (owner ? keysWithPrefix(keyOf('')) : [])
    .filter((key) => !shown.some((it) => it.key === key))
    .map((key) => ({ key, box: boxIn(key), draft: readEntry(key) ?? empty, isOwn: false }))
  return [...shown, ...others].filter(({ draft }) => isWritten(draft))
}

export function setDraft(box: string, draft: Draft) {
  put(box, draft)
  typedAt.set(box, Date.now())
  unsaved.add(box)
  // What was sent is no draft any more, in the other tabs neither: one of them may put something else into its box.
  if (draft.text === '') saveDrafts()
  else timer ??= setTimeout(saveDrafts, SOON)
}

/** Shows something in a box without keeping it, as nobody has changed it yet. */
export const showDraft = put

/** Throws away what an entry holds. */
export function discardDraft(key: string) {
  const box = boxIn(key)
  if (key === entryOf(box) && drafts.has(box)) return setDraft(box, empty)
  saveItem(key)
  tell()
}

/** Puts back what was thrown away: into its box, or beside what stands there by now. */
export function restoreDraft(key: string, draft: Draft) {
  const box = boxIn(key)
  if (!isWritten(draftOf(box)) && !readEntry(keyOf(box))) return setDraft(box, draft)
  saveItem(besides(box), JSON.stringify(draft))
  tell()
}

/** Empties a box whose text was sent; so do the other tabs that show exactly this text, and no others. */
export function endDraft(box: string) {
  saveDrafts()
  const key = entryOf(box)
  const { text } = draftOf(box)
  if (isShown(box, key)) saveItem(key, JSON.stringify({ text: '', sent: text, version: versions.get(box) }))
  setDraft(box, empty)
}

/** Shows what a person left in the boxes on this device; what somebody else left stays unseen. */
export function openDrafts(userId: string) {
  if (owner === userId) return
  forgetDrafts()
  owner = userId
  const keys = keysWithPrefix(keyOf(''))
  for (const box of new Set(keys.map(boxIn))) {
    const own = keys.filter((key) => boxIn(key) === box)
    const mine = own.find((it) => it === typedHere(box))
    const key = mine ?? own.find((it) => it === keyOf(box)) ?? (own[0] as string)
    entries.set(box, key)
    show(box, readEntry(key))
    if (mine) {
      typedAt.set(box, 0)
      typedHere(box, mine)
    }
  }
  globalThis.addEventListener?.('storage', onStorage)
  globalThis.addEventListener?.('pagehide', saveDrafts)
  // A phone may end a page that it hides without another word.
  globalThis.document?.addEventListener('visibilitychange', saveDrafts)
}

export function forgetDrafts() {
  saveDrafts()
  owner = undefined
  for (const map of [typedAt, entries, versions, drafts]) map.clear()
  tell()
}

/** Takes the person's drafts from this device. They left, and the next person at it may be another one. */
export function dropDrafts() {
  if (owner) for (const key of keysWithPrefix(keyOf(''))) saveItem(key)
  unsaved.clear()
  forgetDrafts()
}

/** Keeps now what was written last. */
export function saveDrafts() {
  clearTimeout(timer)
  timer = undefined
  const changed = [...unsaved]
  unsaved.clear()
  if (!owner || changed.length === 0) return
  for (const box of changed) save(box)
  tell()
}

function save(box: string) {
  const draft = draftOf(box)
  const before = entryOf(box)
  const isOurs = isShown(box, before)
  if (!isWritten(draft) && !draft.refusal) {
    if (isOurs) saveItem(before)
    return claim(box, keyOf(box), undefined)
  }
  // As soon as the box's own entry is free again, it stands there.
  const isFree = before !== keyOf(box) && !readEntry(keyOf(box))
  const key = isFree ? keyOf(box) : isOurs ? before : besides(box)
  const version = uuid()
  saveItem(key, JSON.stringify({ ...draft, version }))
  if (isFree && isOurs) saveItem(before)
  claim(box, key, version)
}

const keyOf = (box: string) => `parley.draft.${owner}.${box}`
const besides = (box: string) => `${keyOf(box)}~${uuid()}`
/** The box that an entry is of. */
const boxIn = (key: string) => key.slice(keyOf('').length).replace(/~.*/, '')
const readEntry = (key: string) => (readJson(key) ?? undefined) as Entry | undefined

/** The entry of a box, as this tab shows it. */
const entryOf = (box: string) => entries.get(box) ?? keyOf(box)

/** Whether an entry is still what this tab shows, or not there. */
function isShown(box: string, key: string) {
  const kept = readEntry(key)
  return !kept || kept.version === versions.get(box)
}

function claim(box: string, key: string, version: string | undefined) {
  entries.set(box, key)
  versions.set(box, version)
  typedHere(box, isWritten(draftOf(box)) ? key : '')
}

/** After a reload a tab shows again what was typed in it, and not what another one put into the box. */
function typedHere(box: string, key?: string) {
  const name = `parley.entry.${box}`
  if (key !== undefined) saveTabItem(name, key || undefined)
  return readTabItem(name)
}

/** Another tab kept something, or took it away. */
function onStorage({ key, newValue }: StorageEvent) {
  if (!owner || !key?.startsWith(keyOf(''))) return
  const box = boxIn(key)
  if (key !== entryOf(box)) return tell()
  // Not what is kept by now: of a text that was sent it tells first that it was, then that it is gone.
  const next: Entry | undefined = newValue === null ? undefined : JSON.parse(newValue)
  const { text } = draftOf(box)
  const at = text === '' ? undefined : typedAt.get(box)
  const isSent = next?.sent?.trim() === text.trim()
  // What goes on from the text that was typed here takes nothing away; not while somebody types it.
  const goesOn = at !== undefined && Date.now() - at > WRITING && next?.text.includes(text)
  if (at === undefined || isSent || goesOn) return show(box, next)
  claim(box, besides(box), undefined)
  saveItem(entryOf(box), JSON.stringify(draftOf(box)))
  tell()
}

function show(box: string, entry: Entry | undefined) {
  const { version, sent: _, ...draft } = entry ?? { ...empty }
  versions.set(box, version)
  typedAt.delete(box)
  typedHere(box, '')
  put(box, typeof draft.text === 'string' ? draft : empty)
}

function put(box: string, draft: Draft) {
  if (draft.text === '' && !draft.refusal && !draft.edit) drafts.delete(box)
  else drafts.set(box, draft)
  tell()
}

/** Says that a box is on screen, and how it takes the focus; answers how to take that back. */
export function showBox(box: string, focus: () => void) {
  boxes.set(box, focus)
  tell()
  return () => {
    boxes.delete(box)
    tell()
  }
}

/** Whether what comes back to a box is seen there. */
export const isBoxShown = (box: string) => boxes.has(box)

export const focusBox = (box: string) => boxes.get(box)?.()

function tell() {
  for (const watcher of watchers) watcher()
}

export function watchDrafts(watcher: () => void) {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
