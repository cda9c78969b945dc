import { useSyncExternalStore } from 'react'
import { v4 as uuid } from 'uuid'
import { keysWithPrefix, readJson, readTabItem, saveItem, saveTabItem } from '../../../ui/device/local-storage.ts'
import { createWatchers } from '../../../ui/watchers.ts'
import type { Target } from './pending-message.ts'

// Drafts are stored in localStorage, not in the outbox's IndexedDB: a page that is being closed can still write there, but
// would be gone before a database answered. Its events also notify the other tabs.
//
// Several tabs may write to the same conversation. Each entry has a version, and a tab overwrites or removes only the
// version that it shows. If another tab has stored its own text meanwhile, this tab's text gets a second entry.

/** The content of a composer and, if the server refused it, why. */
export interface Draft {
  text: string
  refusal?: string
  /** Where it will be sent. */
  to?: Target
  /** For an edit: the message as it was when the edit began. */
  edit?: { content: string; editedAt: string | null }
}

interface Entry extends Draft {
  version?: string
  /** The text that was just sent or discarded: other tabs that show it clear their composer. */
  ended?: string
}

// A conversation's key is the id of its channel or, in a thread, of the parent; open-edits.ts has the keys of edits.

const emptyDraft: Draft = { text: '' }
const SAVE_DELAY_MS = 300
/** After a keystroke, other tabs do not change the composer for this long. */
const TYPING_GUARD_MS = 5000

const drafts = new Map<string, Draft>()
const { watch, notify } = createWatchers()
export const watchDrafts = watch

/** The user whose drafts these are; without one, nothing is stored. */
let owner: string | undefined
/** Conversations whose drafts changed and are not stored yet. */
const unsaved = new Set<string>()
/** When the user last typed in a draft; no entry if the composer only shows what was stored. */
const typedAt = new Map<string, number>()
/** The storage key and the version of the entry that this tab shows, by conversation. */
const shownKeys = new Map<string, string>()
const versions = new Map<string, string | undefined>()
let timer: ReturnType<typeof setTimeout> | undefined

export function useDraft(conversation: string) {
  return useSyncExternalStore(watchDrafts, () => getDraft(conversation))
}

export const getDraft = (conversation: string): Draft => drafts.get(conversation) ?? emptyDraft

/** Whether a draft has anything unsent. */
const isWritten = ({ text, edit }: Draft) => (edit ? text !== edit.content : text.trim() !== '')

/** All unsent text, including entries that no composer of this tab shows. */
export function allDrafts() {
  const shown = [...drafts].map(([conversation, draft]) => ({
    key: shownKey(conversation),
    conversation,
    draft,
    isOwn: true,
  }))
  const others = (owner ? keysWithPrefix(storageKey('')) : [])
    .filter((key) => !shown.some((entry) => entry.key === key))
    .map((key) => ({ key, conversation: conversationIn(key), draft: readEntry(key) ?? emptyDraft, isOwn: false }))
  return [...shown, ...others].filter(({ draft }) => isWritten(draft))
}

export function setDraft(conversation: string, draft: Draft) {
  setInMemory(conversation, draft)
  typedAt.set(conversation, Date.now())
  unsaved.add(conversation)
  // An empty draft is saved at once, because an empty composer may show another tab's text at any moment.
  if (draft.text === '') saveDrafts()
  else timer ??= setTimeout(saveDrafts, SAVE_DELAY_MS)
}

/** Shows a draft without storing it, because nobody has changed it yet. */
export const initDraft = setInMemory

/** Discards a draft. Returns a function that undoes it. */
export function discardDraft(key: string): () => void {
  const conversation = conversationIn(key)
  const before = draftsIn(conversation)
  removeEntry(conversation, key)
  const own = before.find((entry) => entry.key === key)
  const known = new Set(before.filter((entry) => entry !== own).map((entry) => entry.key))
  return () => own && restore(conversation, own.draft, known)
}

const draftsIn = (conversation: string) => allDrafts().filter((entry) => entry.conversation === conversation)

function removeEntry(conversation: string, key: string) {
  if (key === shownKey(conversation) && drafts.has(conversation)) return endDraft(conversation)
  const entry = readEntry(key)
  if (entry) saveEnded(key, entry.text, entry.version)
  saveItem(key)
  notify()
}

/**
 * Restores a discarded draft: in its conversation or, if that has another one by now, as a second entry. Nothing is left to
 * do if another tab has gone on writing it: then an entry that was not `known` before begins with it.
 */
function restore(conversation: string, draft: Draft, known: ReadonlySet<string>) {
  const { text } = draft
  if (text !== '' && draftsIn(conversation).some((it) => !known.has(it.key) && it.draft.text.startsWith(text))) return
  if (!isWritten(getDraft(conversation)) && !readEntry(storageKey(conversation))) return setDraft(conversation, draft)
  saveItem(newKeyBeside(conversation), JSON.stringify(draft))
  notify()
}

/** Clears a draft that was sent or discarded, here and in other tabs that show exactly this text. */
export function endDraft(conversation: string) {
  saveDrafts()
  const key = shownKey(conversation)
  const { text } = getDraft(conversation)
  if (isShownVersion(conversation, key)) saveEnded(key, text, versions.get(conversation))
  setDraft(conversation, emptyDraft)
}

/** Tells other tabs that an entry, which is removed next, was sent or discarded. */
const saveEnded = (key: string, text: string, version: string | undefined) =>
  saveItem(key, JSON.stringify({ text: '', ended: text, version }))

/** Loads a user's drafts from this device. */
export function openDrafts(userId: string) {
  if (owner === userId) return
  forgetDrafts()
  owner = userId
  const keys = keysWithPrefix(storageKey(''))
  for (const conversation of new Set(keys.map(conversationIn))) {
    const own = keys.filter((key) => conversationIn(key) === conversation)
    const typedHere = own.find((key) => key === tabEntryKey(conversation))
    const key = typedHere ?? own.find((key) => key === storageKey(conversation)) ?? (own[0] as string)
    shownKeys.set(conversation, key)
    showEntry(conversation, readEntry(key))
    if (typedHere) {
      typedAt.set(conversation, 0)
      tabEntryKey(conversation, typedHere)
    }
  }
  globalThis.addEventListener?.('storage', onStorage)
  globalThis.addEventListener?.('pagehide', saveDrafts)
  // Phones may end a hidden page without another event.
  globalThis.document?.addEventListener('visibilitychange', saveDrafts)
}

export function forgetDrafts() {
  saveDrafts()
  owner = undefined
  for (const map of [typedAt, shownKeys, versions, drafts]) map.clear()
  notify()
}

/** Deletes the user's drafts from this device. */
export function dropDrafts() {
  if (owner) for (const key of keysWithPrefix(storageKey(''))) saveItem(key)
  unsaved.clear()
  forgetDrafts()
}

export function saveDrafts() {
  clearTimeout(timer)
  timer = undefined
  const changed = [...unsaved]
  unsaved.clear()
  if (!owner || changed.length === 0) return
  for (const conversation of changed) save(conversation)
  notify()
}

function save(conversation: string) {
  const draft = getDraft(conversation)
  const before = shownKey(conversation)
  const isOurs = isShownVersion(conversation, before)
  if (!isWritten(draft) && !draft.refusal) {
    if (isOurs) saveItem(before)
    return setShownEntry(conversation, storageKey(conversation), undefined)
  }
  // A second entry moves to the conversation's own key as soon as that is free.
  const isFree = before !== storageKey(conversation) && !readEntry(storageKey(conversation))
  const ownKey = isOurs ? before : newKeyBeside(conversation)
  const key = isFree ? storageKey(conversation) : ownKey
  const version = uuid()
  saveItem(key, JSON.stringify({ ...draft, version }))
  if (isFree && isOurs) saveItem(before)
  setShownEntry(conversation, key, version)
}

const storageKey = (conversation: string) => `parley.draft.${owner}.${conversation}`
const newKeyBeside = (conversation: string) => `${storageKey(conversation)}~${uuid()}`
/** The conversation of a storage key. */
const conversationIn = (key: string) => key.slice(storageKey('').length).replace(/~.*/, '')
const readEntry = (key: string) => (readJson(key) ?? undefined) as Entry | undefined

const shownKey = (conversation: string) => shownKeys.get(conversation) ?? storageKey(conversation)

/** Whether a stored entry has not been changed by another tab. */
function isShownVersion(conversation: string, key: string) {
  const entry = readEntry(key)
  return !entry || entry.version === versions.get(conversation)
}

function setShownEntry(conversation: string, key: string, version: string | undefined) {
  shownKeys.set(conversation, key)
  versions.set(conversation, version)
  tabEntryKey(conversation, isWritten(getDraft(conversation)) ? key : '')
}

/** The entry with the text typed in this tab, which a reload shows again instead of another tab's. */
function tabEntryKey(conversation: string, key?: string) {
  const name = `parley.entry.${conversation}`
  if (key !== undefined) saveTabItem(name, key || undefined)
  return readTabItem(name)
}

/** Another tab stored or removed an entry. */
function onStorage({ key, newValue }: StorageEvent) {
  if (!owner || !key?.startsWith(storageKey(''))) return
  const conversation = conversationIn(key)
  if (key !== shownKey(conversation) || isOutdated(conversation, key)) return notify()
  // The event's value, not the stored one: ending takes two events, one tells the text that ended, the next removes it.
  const next: Entry | undefined = newValue === null ? undefined : JSON.parse(newValue)
  const { text } = getDraft(conversation)
  const at = text === '' ? undefined : typedAt.get(conversation)
  const isEnded = next?.ended?.trim() === text.trim()
  // A longer version of this tab's text loses nothing, but must not appear while the user is typing.
  const isContinued = at !== undefined && Date.now() - at > TYPING_GUARD_MS && next?.text.includes(text)
  if (at === undefined || isEnded || isContinued) return showEntry(conversation, next)
  setShownEntry(conversation, newKeyBeside(conversation), undefined)
  saveItem(shownKey(conversation), JSON.stringify(getDraft(conversation)))
  notify()
}

/** Whether this tab has already overwritten what an event reports: its own version is stored. */
function isOutdated(conversation: string, key: string) {
  const { version, ended } = readEntry(key) ?? {}
  return version !== undefined && version === versions.get(conversation) && ended === undefined
}

function showEntry(conversation: string, entry: Entry | undefined) {
  const { version, ended: _, ...draft } = entry ?? { ...emptyDraft }
  versions.set(conversation, version)
  typedAt.delete(conversation)
  tabEntryKey(conversation, '')
  setInMemory(conversation, typeof draft.text === 'string' ? draft : emptyDraft)
}

function setInMemory(conversation: string, draft: Draft) {
  if (draft.text === '' && !draft.refusal && !draft.edit) drafts.delete(conversation)
  else drafts.set(conversation, draft)
  notify()
}
