import { v4 as uuid } from 'uuid'
import { isStorageWorking, keysWithPrefix, readJson, saveItem, tabChannel } from '../../../ui/device/local-storage.ts'
import { groupBy } from '../../../ui/group-by.ts'
import {
  deleteAllPending,
  deletePending,
  isDatabaseAvailable,
  storedPending,
  storePending,
  updatePending,
} from './outbox-db.ts'
import { conversationKey, type PendingMessage } from './pending-message.ts'

// A user's pending messages as this tab shows them. A change applies here at once, then to the database, and then the other
// tabs are notified to read it again.
//
// Messages that are not in the database are left in localStorage, by each tab for itself, for the tab that opens next: a
// page that is being closed has no time for a database, and some browsers have none. Two tabs may find the same message:
// its clientId makes the server store it once.

const none: readonly PendingMessage[] = []
const tab = uuid()
const leftoverKeyPrefix = (userId: string) => `parley.unsent.${userId}.`
/** Undefined where tabs share no database. */
let tabs: ReturnType<typeof tabChannel>

interface Options {
  onChange: () => void
  /** Called when another tab has changed something. */
  onOtherTab: () => void
}

export type PendingMessages = ReturnType<typeof createPendingMessages>

/** Holds a user's pending messages of this device: those in localStorage at once, the others once they are `read`. */
export function createPendingMessages(userId: string, { onChange, onOtherTab }: Options) {
  let rows: Record<string, readonly PendingMessage[]> = {}
  /** Written in this tab and not in the database: it has not answered yet, or cannot store anything. */
  const unsaved = new Set<string>()
  /** Being sent by this tab, whose state is newer than the database's. */
  const sending = new Set<string>()
  /** Counts changes: a read of the database that overlaps with one is out of date. */
  let changes = 0
  let hasLeftovers = false

  const all = () => Object.values(rows).flat()
  /** A conversation's pending messages, in the order in which they were written. */
  const inConversation = (conversation: string) => rows[conversation] ?? none
  const conversations = () => Object.keys(rows).filter((conversation) => inConversation(conversation).length > 0)

  function restoreLeftovers() {
    const leftovers = keysWithPrefix(leftoverKeyPrefix(userId)).flatMap((key) => {
      const messages = readJson(key)
      saveItem(key)
      return Array.isArray(messages) ? (messages as PendingMessage[]) : []
    })
    for (const message of leftovers) void add(message)
    persistUnsaved()
  }

  /** Whether a message would survive this page. */
  const isPersisted = ({ clientId }: PendingMessage) => !unsaved.has(clientId) || isStorageWorking()

  /** Synchronous, because the page may be about to close. */
  function persistUnsaved() {
    const leftovers = all().filter(({ clientId }) => unsaved.has(clientId))
    if (leftovers.length === 0 && !hasLeftovers) return
    hasLeftovers = leftovers.length > 0
    saveItem(leftoverKeyPrefix(userId) + tab, hasLeftovers ? JSON.stringify(leftovers) : undefined)
  }

  /** Stores nothing from now on. The messages stay on the device until their author is back. */
  function close() {
    persistUnsaved()
    hasLeftovers = false
    unsaved.clear()
  }

  /** Deletes the messages from this device. Resolves when they are gone. */
  async function deleteAll() {
    for (const key of keysWithPrefix(leftoverKeyPrefix(userId))) saveItem(key)
    await deleteAllPending(userId)
    tabs?.postMessage(userId)
  }

  /** Shows a message at once. Resolves when it is stored. */
  async function add(message: PendingMessage) {
    if (all().some(({ clientId }) => clientId === message.clientId)) return
    unsaved.add(message.clientId)
    show([...all(), message])
    // The database's code may still be loading, and the page may end without warning.
    persistUnsaved()
    await persist(async () => {
      if (await storePending(userId, message)) unsaved.delete(message.clientId)
    })
  }

  function change({ clientId }: PendingMessage, to: Pick<PendingMessage, 'state' | 'reason' | 'isStranded'>) {
    const next = all().map((row) => {
      if (row.clientId !== clientId) return row
      const { reason: _, isStranded: __, ...rest } = row
      return { ...rest, ...to }
    })
    show(next)
    const changed = next.find((row) => row.clientId === clientId)
    return persist(async () => changed && updatePending(userId, changed))
  }

  function remove(message: PendingMessage) {
    unsaved.delete(message.clientId)
    show(all().filter(({ clientId }) => clientId !== message.clientId))
    return persist(() => deletePending(userId, message))
  }

  function markSending(message: PendingMessage) {
    sending.add(message.clientId)
    const { reason: _, ...rest } = message
    show(all().map((row) => (row.clientId === message.clientId ? { ...rest, state: 'sending' } : row)))
  }

  const unmarkSending = ({ clientId }: PendingMessage) => void sending.delete(clientId)

  /** Updates the rows from the database. Returns false if it could not be read now, but perhaps later. */
  async function read(): Promise<boolean> {
    for (;;) {
      const before = changes
      const stored = await storedPending(userId)
      if (!stored) return !isDatabaseAvailable()
      // A change during the read may be missing from it, so read again.
      if (changes !== before) continue
      merge(stored)
      return true
    }
  }

  function merge(stored: PendingMessage[]) {
    const shown = new Map(all().map((message) => [message.clientId, message]))
    const storedIds = new Set(stored.map(({ clientId }) => clientId))
    const own = [...shown.values()].filter(({ clientId }) => unsaved.has(clientId) && !storedIds.has(clientId))
    const current = stored.map((message) => (sending.has(message.clientId) && shown.get(message.clientId)) || message)
    show([...current, ...own])
  }

  /** Applies a change to the database, and notifies the other tabs. */
  async function persist(write: () => Promise<unknown>) {
    await write()
    persistUnsaved()
    tabs?.postMessage(userId)
  }

  function show(messages: readonly PendingMessage[]) {
    changes++
    const next = groupBy(messages.toSorted(inOrder), conversationKey)
    // Conversations without changes keep their array, so that they do not render again.
    rows = Object.fromEntries(
      [...next].map(([conversation, list]) => [conversation, same(inConversation(conversation), list)]),
    )
    onChange()
  }

  if (isDatabaseAvailable()) {
    tabs ??= tabChannel('parley outbox')
    if (tabs)
      tabs.onmessage = ({ data }) => {
        if (data === userId) void read().then(onOtherTab)
      }
  }
  restoreLeftovers()

  return {
    all,
    in: inConversation,
    conversations,
    isPersisted,
    add,
    change,
    remove,
    markSending,
    unmarkSending,
    read,
    persistUnsaved,
    deleteAll,
    close,
  }
}

/** The same order in all tabs, even for two messages of the same millisecond. */
const inOrder = (a: PendingMessage, b: PendingMessage) => (orderOf(a) < orderOf(b) ? -1 : 1)
const orderOf = ({ createdAt, clientId }: PendingMessage) => createdAt + clientId

const same = (before: readonly PendingMessage[], after: readonly PendingMessage[]) =>
  JSON.stringify(before) === JSON.stringify(after) ? before : after
