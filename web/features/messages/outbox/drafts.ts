import { useSyncExternalStore } from 'react'
import { v4 as uuid } from 'uuid'
import { keysWithPrefix, readJson, readTabItem, saveItem, saveTabItem } from '../../../ui/device/local-storage.ts'
import { createWatchers } from '../../../ui/watchers.ts'
import type { Target } from './pending-message.ts'

// Drafts are kept in localStorage, not in the outbox's IndexedDB: a page that is being closed can still write there, but
// would not live until a database answers. Its events also notify the other tabs.
//
// Several tabs may write to the same conversation. Each entry has a version, and a tab overwrites or removes only the
// version that it shows. If another tab has stored its own text meanwhile, this tab's text gets a second entry.

/** The content of a composer, and why it came back if the server refused it. */
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
  /** The text that was just sent: other tabs that show it clear it. */
  sent?: string
}

// A conversation's key is the id of its channel or, in a thread, of the parent; open-edits.ts has the keys of edits.

const empty: Draft = { text: '' }
const SAVE_DELAY_MS = 300
/** For this long after a keystroke no other tab changes the composer. */
const TYPING_GUARD_MS = 5000

const drafts = new Map<string, Draft>()
const { watch: watchDrafts, notify } = createWatchers()

export { watchDrafts }

/** The user whose drafts these are; without one, nothing is stored. */
let owner: string | undefined
/** Conversations whose drafts changed and are not stored yet. */
const unsaved = new Set<string>()
/** When a draft was last typed in; no entry if the composer only shows what was stored. */
const typedAt = new Map<string, number>()
/** The storage key of each conversation's draft, and the version that this tab shows. */
const entries = new Map<string, string>()
const versions = new Map<string, string | undefined>()
let timer: ReturnType<typeof setTimeout> | undefined

export function useDraft(conversation: string) {
  return useSyncExternalStore(watchDrafts, () => draftOf(conversation))
}

export const draftOf = (conversation: string): Draft => drafts.get(conversation) ?? empty

/** Whether it holds anything unsent. */
export const isWritten = ({ text, edit }: Draft) => (edit ? text !== edit.content : text.trim() !== '')

/** All unsent text by storage key, including entries that no composer of this tab shows. */
export function allDrafts() {
  const shown = [...drafts].map(([conversation, draft]) => ({
    key: entryOf(conversation),
    conversation,
    draft,
    isOwn: true,
  }))
  const others = (owner ? keysWithPrefix(storageKey('')) : [])
    .filter((key) => !shown.some((entry) => entry.key === key))
    .map((key) => ({ key, conversation: conversationIn(key), draft: readEntry(key) ?? empty, isOwn: false }))
  return [...shown, ...others].filter(({ draft }) => isWritten(draft))
}

export function setDraft(conversation: string, draft: Draft) {
  put(conversation, draft)
  typedAt.set(conversation, Date.now())
  unsaved.add(conversation)
  // An empty draft is saved at once, because another tab may put something else into its composer.
  if (draft.text === '') saveDrafts()
  else timer ??= setTimeout(saveDrafts, SAVE_DELAY_MS)
}

/** Shows a draft without storing it, because nobody has changed it yet. */
export const showDraft = put

export function discardDraft(key: string) {
  const conversation = conversationIn(key)
  if (key === entryOf(conversation) && drafts.has(conversation)) return setDraft(conversation, empty)
  saveItem(key)
  notify()
}

/** Restores a discarded draft: in its conversation or, if that has another one by now, as a second entry. */
export function restoreDraft(key: string, draft: Draft) {
  const conversation = conversationIn(key)
  if (!isWritten(draftOf(conversation)) && !readEntry(storageKey(conversation))) return setDraft(conversation, draft)
  saveItem(newKeyBeside(conversation), JSON.stringify(draft))
  notify()
}

/** Clears a draft that was sent, here and in other tabs that show exactly this text. */
export function endDraft(conversation: string) {
  saveDrafts()
  const key = entryOf(conversation)
  const { text } = draftOf(conversation)
  if (isShown(conversation, key))
    saveItem(key, JSON.stringify({ text: '', sent: text, version: versions.get(conversation) }))
  setDraft(conversation, empty)
}

/** Loads a user's drafts from this device; those of other users stay hidden. */
export function openDrafts(userId: string) {
  if (owner === userId) return
  forgetDrafts()
  owner = userId
  const keys = keysWithPrefix(storageKey(''))
  for (const conversation of new Set(keys.map(conversationIn))) {
    const own = keys.filter((key) => conversationIn(key) === conversation)
    const mine = own.find((key) => key === keyTypedHere(conversation))
    const key = mine ?? own.find((key) => key === storageKey(conversation)) ?? (own[0] as string)
    entries.set(conversation, key)
    show(conversation, readEntry(key))
    if (mine) {
      typedAt.set(conversation, 0)
      keyTypedHere(conversation, mine)
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
  for (const map of [typedAt, entries, versions, drafts]) map.clear()
  notify()
}

/** Deletes the user's drafts from this device, whose next user may be somebody else. */
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
  const draft = draftOf(conversation)
  const before = entryOf(conversation)
  const isOurs = isShown(conversation, before)
  if (!isWritten(draft) && !draft.refusal) {
    if (isOurs) saveItem(before)
    return claim(conversation, storageKey(conversation), undefined)
  }
  // It returns to the conversation's own key as soon as that is free.
  const isFree = before !== storageKey(conversation) && !readEntry(storageKey(conversation))
  const key = isFree ? storageKey(conversation) : isOurs ? before : newKeyBeside(conversation)
  const version = uuid()
  saveItem(key, JSON.stringify({ ...draft, version }))
  if (isFree && isOurs) saveItem(before)
  claim(conversation, key, version)
}

const storageKey = (conversation: string) => `parley.draft.${owner}.${conversation}`
const newKeyBeside = (conversation: string) => `${storageKey(conversation)}~${uuid()}`
/** The conversation of a storage key. */
const conversationIn = (key: string) => key.slice(storageKey('').length).replace(/~.*/, '')
const readEntry = (key: string) => (readJson(key) ?? undefined) as Entry | undefined

/** The storage key of the draft that this tab shows. */
const entryOf = (conversation: string) => entries.get(conversation) ?? storageKey(conversation)

/** Whether an entry is what this tab shows, or missing. */
function isShown(conversation: string, key: string) {
  const kept = readEntry(key)
  return !kept || kept.version === versions.get(conversation)
}

function claim(conversation: string, key: string, version: string | undefined) {
  entries.set(conversation, key)
  versions.set(conversation, version)
  keyTypedHere(conversation, isWritten(draftOf(conversation)) ? key : '')
}

/** After a reload a tab shows the text typed in it again, not what another tab has stored. */
function keyTypedHere(conversation: string, key?: string) {
  const name = `parley.entry.${conversation}`
  if (key !== undefined) saveTabItem(name, key || undefined)
  return readTabItem(name)
}

/** Another tab stored or removed an entry. */
function onStorage({ key, newValue }: StorageEvent) {
  if (!owner || !key?.startsWith(storageKey(''))) return
  const conversation = conversationIn(key)
  if (key !== entryOf(conversation)) return notify()
  // The event's value, not the stored one: for a sent text one event says so, and the next one that it is gone.
  const next: Entry | undefined = newValue === null ? undefined : JSON.parse(newValue)
  const { text } = draftOf(conversation)
  const at = text === '' ? undefined : typedAt.get(conversation)
  const isSent = next?.sent?.trim() === text.trim()
  // A longer version of this tab's text loses nothing; but it must not appear while somebody types.
  const isContinued = at !== undefined && Date.now() - at > TYPING_GUARD_MS && next?.text.includes(text)
  if (at === undefined || isSent || isContinued) return show(conversation, next)
  claim(conversation, newKeyBeside(conversation), undefined)
  saveItem(entryOf(conversation), JSON.stringify(draftOf(conversation)))
  notify()
}

function show(conversation: string, entry: Entry | undefined) {
  const { version, sent: _, ...draft } = entry ?? { ...empty }
  versions.set(conversation, version)
  typedAt.delete(conversation)
  keyTypedHere(conversation, '')
  put(conversation, typeof draft.text === 'string' ? draft : empty)
}

function put(conversation: string, draft: Draft) {
  if (draft.text === '' && !draft.refusal && !draft.edit) drafts.delete(conversation)
  else drafts.set(conversation, draft)
  notify()
}
