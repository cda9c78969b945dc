import { isStorageWorking, tabChannel } from '../../../ui/device/local-storage.ts'
import { groupBy } from '../../../ui/group-by.ts'
import { createLeftovers } from './leftovers.ts'
import {
  deleteAllPending,
  deletePending,
  isDatabaseAvailable,
  storedPending,
  storePending,
  updatePending,
} from './outbox-db.ts'
import { conversationKey, inOrder, OUTBOX_CHANNEL, type PendingMessage } from './pending-message.ts'

// A change applies in this tab at once, then to the database, and then the other tabs are notified to read it again.

const none: readonly PendingMessage[] = []
/** Undefined where tabs share no database. */
let tabs: ReturnType<typeof tabChannel>

interface Options {
  onChange: () => void
  /** Called when another tab has changed something. */
  onOtherTab: () => void
}

/** A user's pending messages on this device, as this tab shows them: leftovers at once, the others after `read`. */
export class PendingMessages {
  readonly #userId: string
  readonly #onChange: () => void
  readonly #leftovers: ReturnType<typeof createLeftovers>
  #rows: Record<string, readonly PendingMessage[]> = {}
  /** Written in this tab and not in the database: it has not answered yet, or cannot store anything. */
  readonly #unsaved = new Set<string>()
  /** Being sent by this tab, whose state is newer than the database's. */
  readonly #sending = new Set<string>()
  /** Changes that the database has not confirmed, undefined for a deletion. A read does not revert them. */
  readonly #unconfirmed = new Map<string, PendingMessage | undefined>()
  /** Counts changes: a read of the database that overlaps with one is stale. */
  #changes = 0

  constructor(userId: string, { onChange, onOtherTab }: Options) {
    this.#userId = userId
    this.#onChange = onChange
    this.#leftovers = createLeftovers(userId)
    if (isDatabaseAvailable()) {
      tabs ??= tabChannel(OUTBOX_CHANNEL)
      if (tabs)
        tabs.onmessage = ({ data }) => {
          if (data === userId) void this.read().then(onOtherTab)
        }
    }
    for (const message of this.#leftovers.take()) void this.add(message)
    this.persistUnsaved()
  }

  all() {
    return Object.values(this.#rows).flat()
  }

  get(clientId: string) {
    return this.all().find((message) => message.clientId === clientId)
  }

  /** A conversation's pending messages, in the order in which they were written. */
  in(conversation: string) {
    return this.#rows[conversation] ?? none
  }

  conversations() {
    return Object.keys(this.#rows).filter((conversation) => this.in(conversation).length > 0)
  }

  /** Whether a message survives closing the page. */
  isPersisted({ clientId }: PendingMessage) {
    return !this.#unsaved.has(clientId) || isStorageWorking()
  }

  /** Synchronous, because the page may be about to close. */
  readonly persistUnsaved = () =>
    this.#leftovers.leave(this.all().filter(({ clientId }) => this.#unsaved.has(clientId)))

  /** Stores nothing from now on. The messages stay on the device until the user returns. */
  close() {
    this.persistUnsaved()
    this.#leftovers.end()
    this.#unsaved.clear()
  }

  /** Deletes the messages from this device. Resolves when they are gone. */
  async deleteAll() {
    this.#leftovers.deleteAll()
    await deleteAllPending(this.#userId)
    tabs?.postMessage(this.#userId)
  }

  /** Shows a message at once. Resolves when it is stored. */
  async add(message: PendingMessage) {
    if (this.all().some(({ clientId }) => clientId === message.clientId)) return
    this.#unsaved.add(message.clientId)
    this.#unconfirmed.delete(message.clientId)
    this.#show([...this.all(), message])
    // The database's code may still be loading, and the page may end without warning.
    this.persistUnsaved()
    await this.#persist(async () => {
      if (await storePending(this.#userId, message)) this.#unsaved.delete(message.clientId)
    })
  }

  change({ clientId }: PendingMessage, to: Pick<PendingMessage, 'state' | 'reason' | 'isStranded' | 'heldUntil'>) {
    const row = this.get(clientId)
    if (!row) return
    const { reason: _, isStranded: __, ...rest } = row
    const changed = { ...rest, ...to }
    this.#show(this.all().map((other) => (other === row ? changed : other)))
    return this.#confirm(clientId, changed, () => updatePending(this.#userId, changed))
  }

  remove(message: PendingMessage) {
    this.#unsaved.delete(message.clientId)
    this.#show(this.all().filter(({ clientId }) => clientId !== message.clientId))
    return this.#confirm(message.clientId, undefined, () => deletePending(this.#userId, message))
  }

  markSending(message: PendingMessage) {
    this.#sending.add(message.clientId)
    const { reason: _, ...rest } = message
    // From now on it can't be taken back.
    const sending = { ...rest, state: 'sending' as const, ...(rest.heldUntil && { heldUntil: 0 }) }
    this.#show(this.all().map((row) => (row.clientId === message.clientId ? sending : row)))
  }

  unmarkSending({ clientId }: PendingMessage) {
    this.#sending.delete(clientId)
  }

  /** Updates the rows from the database. Returns false if that failed but may succeed later. */
  async read(): Promise<boolean> {
    for (;;) {
      const before = this.#changes
      const stored = await storedPending(this.#userId)
      if (!stored) return !isDatabaseAvailable()
      // A change during the read may be missing from it, so read again.
      if (this.#changes !== before) continue
      this.#merge(stored)
      return true
    }
  }

  #merge(stored: PendingMessage[]) {
    const shown = new Map(this.all().map((message) => [message.clientId, message]))
    const storedIds = new Set(stored.map(({ clientId }) => clientId))
    const own = [...shown.values()].filter(({ clientId }) => this.#unsaved.has(clientId) && !storedIds.has(clientId))
    const current = stored.flatMap((message) => {
      const { clientId } = message
      const latest = this.#unconfirmed.has(clientId) ? this.#unconfirmed.get(clientId) : message
      if (!latest) return []
      return (this.#sending.has(clientId) && shown.get(clientId)) || latest
    })
    this.#show([...current, ...own])
  }

  /** Applies a change to the database. This tab keeps to it even if the database refuses it. */
  #confirm(clientId: string, change: PendingMessage | undefined, write: () => Promise<true | undefined>) {
    this.#unconfirmed.set(clientId, change)
    return this.#persist(async () => {
      // A later change waits for its own confirmation.
      if ((await write()) && this.#unconfirmed.get(clientId) === change) this.#unconfirmed.delete(clientId)
    })
  }

  /** Applies a change to the database, and notifies the other tabs. */
  async #persist(write: () => Promise<unknown>) {
    await write()
    this.persistUnsaved()
    tabs?.postMessage(this.#userId)
  }

  #show(messages: readonly PendingMessage[]) {
    this.#changes++
    const next = groupBy(messages.toSorted(inOrder), conversationKey)
    // Conversations without changes keep their array, so that they do not render again.
    this.#rows = Object.fromEntries(
      [...next].map(([conversation, list]) => [conversation, same(this.in(conversation), list)]),
    )
    this.#onChange()
  }
}

const same = (before: readonly PendingMessage[], after: readonly PendingMessage[]) =>
  JSON.stringify(before) === JSON.stringify(after) ? before : after
