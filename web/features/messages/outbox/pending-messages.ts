import { useSyncExternalStore } from 'react'
import { v4 as uuid } from 'uuid'
import { isStorageWorking, keysWithPrefix, readJson, saveItem, tabChannel } from '../../../ui/device/local-storage.ts'
import { createWatchers } from '../../../ui/watchers.ts'
import {
  deleteAllPending,
  deletePending,
  isStoreThere,
  storedPending,
  storePending,
  updatePending,
} from './outbox-db.ts'
import { conversationKey, type PendingMessage } from './pending-message.ts'

// Pending messages as this tab shows them. A change applies here at once, then to the database, and then the other tabs
// are notified to read it again.

const none: readonly PendingMessage[] = []
const { watch: watchRows, notify } = createWatchers()

export { watchRows }

let author: string | undefined
let rows: Record<string, readonly PendingMessage[]> = {}
/** Written in this tab and not in the database: it has not answered yet, or cannot store anything. */
const unsaved = new Set<string>()
/** Being sent by this tab, whose state is newer than the database's. */
const sending = new Set<string>()
/** Counts changes: a read of the database that overlaps one is out of date. */
let changes = 0
/** Undefined where tabs share no database. */
let tabs: ReturnType<typeof tabChannel>

export const outboxAuthor = () => author

/** A conversation's pending messages, in the order in which they were written. */
export function usePending(conversation: string) {
  return useSyncExternalStore(watchRows, () => pendingIn(conversation))
}

export const pendingIn = (conversation: string) => rows[conversation] ?? none

export const allPending = () => Object.values(rows).flat()

export const conversationsWithRows = () =>
  Object.keys(rows).filter((conversation) => pendingIn(conversation).length > 0)

/**
 * Shows a user's pending messages of this device: those in localStorage at once, the others by `readRows`.
 * @param onOtherTab called when another tab has changed something
 */
export function openRows(userId: string, onOtherTab: () => void) {
  forgetRows()
  author = userId
  if (isStoreThere()) {
    tabs ??= tabChannel('parley outbox')
    if (tabs)
      tabs.onmessage = ({ data }) => {
        if (data === author) void readRows().then(onOtherTab)
      }
  }
  const left = keysWithPrefix(leftKey(userId)).flatMap((key) => {
    const messages = readJson(key)
    saveItem(key)
    return Array.isArray(messages) ? (messages as PendingMessage[]) : []
  })
  for (const message of left) void addRow(message)
  persistUnsaved()
}

/** Whether a message would survive this page. */
export const isPersisted = ({ clientId }: PendingMessage) => !unsaved.has(clientId) || isStorageWorking()

// Messages that are not in the database are left in localStorage, by each tab for itself, for the tab that opens next: a
// page that is being closed has no time for a database, and some browsers have none. Two tabs may find the same message:
// its clientId makes the server store it once.

const tab = uuid()
let hasLeft = false
const leftKey = (userId: string) => `parley.unsent.${userId}.`

/** Synchronous, because the page may be about to close. */
export function persistUnsaved() {
  const left = allPending().filter(({ clientId }) => unsaved.has(clientId))
  if (!author || (left.length === 0 && !hasLeft)) return
  hasLeft = left.length > 0
  saveItem(leftKey(author) + tab, hasLeft ? JSON.stringify(left) : undefined)
}

/** Hides all rows. The messages stay on the device until their author is back. */
export function forgetRows() {
  persistUnsaved()
  hasLeft = false
  author = undefined
  unsaved.clear()
  sending.clear()
  show([])
}

/** Deletes the user's messages from this device. Resolves when they are gone. */
export async function deleteRows() {
  const whose = author
  unsaved.clear()
  if (whose) {
    for (const key of keysWithPrefix(leftKey(whose))) saveItem(key)
  }
  forgetRows()
  if (!whose) return
  await deleteAllPending(whose)
  tabs?.postMessage(whose)
}

/** Shows a message at once. Resolves when it is stored. */
export async function addRow(message: PendingMessage) {
  if (!author || allPending().some(({ clientId }) => clientId === message.clientId)) return
  unsaved.add(message.clientId)
  show([...allPending(), message])
  // The database's code may still be loading, and the page may end without warning.
  persistUnsaved()
  await persist(async (whose) => {
    if (await storePending(whose, message)) unsaved.delete(message.clientId)
  })
}

export function changeRow({ clientId }: PendingMessage, to: Pick<PendingMessage, 'state' | 'reason' | 'isStranded'>) {
  const all = allPending().map((row) => {
    if (row.clientId !== clientId) return row
    const { reason: _, isStranded: __, ...rest } = row
    return { ...rest, ...to }
  })
  show(all)
  const changed = all.find((row) => row.clientId === clientId)
  return persist(async (whose) => changed && updatePending(whose, changed))
}

export function removeRow(message: PendingMessage) {
  unsaved.delete(message.clientId)
  show(allPending().filter(({ clientId }) => clientId !== message.clientId))
  return persist((whose) => deletePending(whose, message))
}

export function markSending(message: PendingMessage) {
  sending.add(message.clientId)
  const { reason: _, ...rest } = message
  show(allPending().map((row) => (row.clientId === message.clientId ? { ...rest, state: 'sending' } : row)))
}

export const unmarkSending = ({ clientId }: PendingMessage) => void sending.delete(clientId)

/** Updates the rows from the database. Returns false if it could not be read now, but perhaps later. */
export async function readRows(): Promise<boolean> {
  const whose = author
  if (!whose) return true
  for (;;) {
    const before = changes
    const stored = await storedPending(whose)
    if (author !== whose) return true
    if (!stored) return !isStoreThere()
    // A change during the read may be missing from it, so read again.
    if (changes !== before) continue
    merge(stored)
    return true
  }
}

function merge(stored: PendingMessage[]) {
  const held = new Map(allPending().map((message) => [message.clientId, message]))
  const known = new Set(stored.map(({ clientId }) => clientId))
  const own = [...held.values()].filter(({ clientId }) => unsaved.has(clientId) && !known.has(clientId))
  const read = stored.map((message) => (sending.has(message.clientId) && held.get(message.clientId)) || message)
  show([...read, ...own])
}

/** Applies a change to the database, and notifies the other tabs. */
async function persist(change: (author: string) => Promise<unknown>) {
  if (!author) return
  const whose = author
  await change(whose)
  if (author === whose) persistUnsaved()
  tabs?.postMessage(whose)
}

function show(all: readonly PendingMessage[]) {
  changes++
  const next = new Map<string, PendingMessage[]>()
  const ordered = all.toSorted((a, b) => (orderOf(a) < orderOf(b) ? -1 : 1))
  for (const message of ordered)
    next.set(conversationKey(message), [...(next.get(conversationKey(message)) ?? []), message])
  // Conversations without changes keep their array, so that they do not render again.
  rows = Object.fromEntries(
    [...next].map(([conversation, list]) => [conversation, same(pendingIn(conversation), list)]),
  )
  notify()
}

/** The same order in all tabs, even for two messages of the same millisecond. */
const orderOf = ({ createdAt, clientId }: PendingMessage) => createdAt + clientId

const same = (before: readonly PendingMessage[], after: readonly PendingMessage[]) =>
  JSON.stringify(before) === JSON.stringify(after) ? before : after
