import { useSyncExternalStore } from 'react'
import { v4 as uuid } from 'uuid'
import { isStorageWorking, keysWithPrefix, readJson, saveItem, tabChannel } from '../../../ui/device/local-storage.ts'
import { isStoreThere, restore, store, storedBy, unstore, unstoreAll } from './outbox-db.ts'
import { boxOf, type PendingMessage } from './pending-message.ts'

// The rows of the outbox as this tab shows them. They change here first and at once; the device's store follows, and
// the other tabs are told to read it again.

const none: readonly PendingMessage[] = []
const watchers = new Set<() => void>()

let author: string | undefined
let rows: Record<string, readonly PendingMessage[]> = {}
/** Written here and not in the store: it has not answered yet, or keeps nothing. */
const unsaved = new Set<string>()
/** Being sent by this tab, which knows more about them than the store. */
const sending = new Set<string>()
/** How many changes there were: what was read from the store before one of them is out of date. */
let changes = 0
/** The line to the other tabs, where there is something to share with them. */
let tabs: ReturnType<typeof tabChannel>

/** Whose rows these are. */
export const rowsAuthor = () => author

/** The messages of a box that the server has not confirmed yet, in the order they were written. */
export function usePending(box: string) {
  return useSyncExternalStore(watchRows, () => pendingIn(box))
}

export const pendingIn = (box: string) => rows[box] ?? none

export const allPending = () => Object.values(rows).flat()

export const boxesWithRows = () => Object.keys(rows).filter((box) => pendingIn(box).length > 0)

/**
 * Shows what a person wrote on this device and nobody confirmed: at once what is in memory, the rest by `readRows`. Calls
 * back when another tab changed something.
 */
export function openRows(userId: string, onHeard: () => void) {
  forgetRows()
  author = userId
  if (isStoreThere()) {
    tabs ??= tabChannel('parley outbox')
    if (tabs)
      tabs.onmessage = ({ data }) => {
        if (data === author) void readRows().then(onHeard)
      }
  }
  const left = keysWithPrefix(leftKey(userId)).flatMap((key) => {
    const messages = readJson(key)
    saveItem(key)
    return Array.isArray(messages) ? (messages as PendingMessage[]) : []
  })
  for (const message of left) void addRow(message)
  leaveUnsaved()
}

/** Whether a message would still be there after this page. */
export const isKept = ({ clientId }: PendingMessage) => !unsaved.has(clientId) || isStorageWorking()

// What the store does not have is left in localStorage, by each tab for itself, for whichever is opened next: a page
// that goes away has no time for a database, and some browsers have none. A message that two tabs find stands once.

const tab = uuid()
let hasLeft = false
const leftKey = (userId: string) => `parley.unsent.${userId}.`

/** At once, for the page may be about to go. */
export function leaveUnsaved() {
  const left = allPending().filter(({ clientId }) => unsaved.has(clientId))
  if (!author || (left.length === 0 && !hasLeft)) return
  hasLeft = left.length > 0
  saveItem(leftKey(author) + tab, hasLeft ? JSON.stringify(left) : undefined)
}

/** Shows nothing any more. What was written stays on the device, for when its author is back. */
export function forgetRows() {
  leaveUnsaved()
  hasLeft = false
  author = undefined
  unsaved.clear()
  sending.clear()
  show([])
}

/** Takes all that the person wrote from this device. Resolves when it is gone. */
export async function deleteRows() {
  const whose = author
  unsaved.clear()
  if (whose) {
    for (const key of keysWithPrefix(leftKey(whose))) saveItem(key)
  }
  forgetRows()
  if (!whose) return
  await unstoreAll(whose)
  tabs?.postMessage(whose)
}

/** Shows a message at once. Resolves when it is kept. */
export async function addRow(message: PendingMessage) {
  if (!author || allPending().some(({ clientId }) => clientId === message.clientId)) return
  unsaved.add(message.clientId)
  show([...allPending(), message])
  // Until the store has it: its code may still be on its way, and the page may be ended without a word.
  leaveUnsaved()
  await follow(async (whose) => {
    if (await store(whose, message)) unsaved.delete(message.clientId)
  })
}

export function changeRow({ clientId }: PendingMessage, to: Pick<PendingMessage, 'state' | 'reason' | 'isStranded'>) {
  const all = allPending().map((it) => {
    if (it.clientId !== clientId) return it
    const { reason: _, isStranded: __, ...rest } = it
    return { ...rest, ...to }
  })
  show(all)
  const changed = all.find((it) => it.clientId === clientId)
  return follow(async (whose) => changed && restore(whose, changed))
}

export function removeRow(message: PendingMessage) {
  unsaved.delete(message.clientId)
  show(allPending().filter(({ clientId }) => clientId !== message.clientId))
  return follow((whose) => unstore(whose, message))
}

/** While this tab sends a message, its row says so here. */
export function holdRow(message: PendingMessage) {
  sending.add(message.clientId)
  const { reason: _, ...rest } = message
  show(allPending().map((it) => (it.clientId === message.clientId ? { ...rest, state: 'sending' } : it)))
}

export const releaseRow = ({ clientId }: PendingMessage) => void sending.delete(clientId)

/** Brings the rows in step with the store. Answers false where that could not be read now, but perhaps later. */
export async function readRows(): Promise<boolean> {
  const whose = author
  if (!whose) return true
  for (;;) {
    const before = changes
    const stored = await storedBy(whose)
    if (author !== whose) return true
    if (!stored) return !isStoreThere()
    // A change that came meanwhile is in the store after this reading, so it is read once more.
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

/** Lets the store follow a change, and the other tabs the store. */
async function follow(change: (author: string) => Promise<unknown>) {
  if (!author) return
  const whose = author
  await change(whose)
  if (author === whose) leaveUnsaved()
  tabs?.postMessage(whose)
}

function show(all: readonly PendingMessage[]) {
  changes++
  const next = new Map<string, PendingMessage[]>()
  const ordered = all.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  for (const message of ordered) next.set(boxOf(message), [...(next.get(boxOf(message)) ?? []), message])
  // Boxes where nothing changed keep their lists, so that only the others are drawn anew.
  rows = Object.fromEntries([...next].map(([box, list]) => [box, same(pendingIn(box), list)]))
  for (const watcher of watchers) watcher()
}

/** In one order everywhere, also of two that two tabs made in the same millisecond. */
const placeOf = ({ createdAt, clientId }: PendingMessage) => createdAt + clientId

const same = (before: readonly PendingMessage[], after: readonly PendingMessage[]) =>
  JSON.stringify(before) === JSON.stringify(after) ? before : after

export function watchRows(watcher: () => void) {
  watchers.add(watcher)
  return () => void watchers.delete(watcher)
}
