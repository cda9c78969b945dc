import type { IDBPDatabase, IDBPTransaction } from 'idb'
import { hasDatabases, mayStoreFor } from '../../../ui/device/local-storage.ts'
import type { OutboxSchema } from './outbox-database.ts'
import type { PendingMessage } from './pending-message.ts'

// The outbox on this device: one IndexedDB for all tabs. Nothing here throws. If the browser cannot store anything (a
// private window, a full disk), the functions return undefined, and the messages exist only in the tab's memory.

type Store = keyof OutboxSchema & ('messages' | 'leases')

/** Another tab can block the database from opening, and sending must not wait for that. */
const OPEN_TIMEOUT_MS = 3000
const CODE_RETRY_DELAY_MS = 2000

let isLogged = false
function logOnce(error: unknown) {
  if (!isLogged) console.error('Unsent messages cannot be stored on this device:', error)
  isLogged = true
}

let opening: Promise<IDBPDatabase<OutboxSchema> | undefined> | undefined
let isUnavailable = !hasDatabases()

/** Whether messages can be stored on this device. */
export const isDatabaseAvailable = () => !isUnavailable

/**
 * Loads the database's code on first use. After a failure it retries later, not at once, so that the next steps for the
 * same message do not wait again.
 */
async function open() {
  try {
    const { openDatabase } = await withTimeout(import('./outbox-database.ts'), 'Loading the database code timed out')
    return await openWith(openDatabase)
  } catch (error) {
    logOnce(error)
    setTimeout(() => {
      opening = undefined
    }, CODE_RETRY_DELAY_MS)
    return undefined
  }
}

async function openWith(openDatabase: typeof import('./outbox-database.ts').openDatabase) {
  const giveUp = () => {
    isUnavailable = true
    opening = Promise.resolve(undefined)
  }
  // In an async function, because mere access throws where storage is forbidden.
  const database = (async () => openDatabase(giveUp))()
  try {
    return await withTimeout(database, 'Opening the database timed out')
  } catch (error) {
    logOnce(error)
    giveUp()
    // If it opens later, nothing uses it.
    database.then(
      (db) => db.close(),
      () => {},
    )
    return undefined
  }
}

const withTimeout = <T>(promise: Promise<T>, problem: string) =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(problem)), OPEN_TIMEOUT_MS)
    }),
  ])

/** Runs one transaction. They run in the order of the calls: pending-messages.ts relies on that. */
async function transact<S extends Store, T>(
  store: S,
  mode: 'readonly' | 'readwrite',
  work: (tx: IDBPTransaction<OutboxSchema, [S], 'readwrite'>['store']) => Promise<T>,
): Promise<T | undefined> {
  if (isUnavailable) return undefined
  opening ??= open()
  const db = await opening
  try {
    const tx = db?.transaction(store, mode)
    if (!tx) return undefined
    const [result] = await Promise.all([work(tx.store as never), tx.done])
    return result
  } catch (error) {
    logOnce(error)
    return undefined
  }
}

const allOf = (author: string) => IDBKeyRange.bound([author], [author, []])

/** A user's pending messages; undefined if nothing can be stored. */
export const storedPending = (author: string) =>
  transact('messages', 'readonly', (store) => store.getAll(allOf(author)))

/** Returns true once it is stored. Stores nothing for a user who signed out in another tab. */
export const storePending = (author: string, message: PendingMessage) =>
  transact('messages', 'readwrite', async (store) => {
    if (mayStoreFor(author)) await store.put(message, [author, message.clientId])
    return true
  })

/** Updates a message, unless another tab has deleted it meanwhile. */
export const updatePending = (author: string, message: PendingMessage) =>
  transact('messages', 'readwrite', async (store) => {
    const key: [string, string] = [author, message.clientId]
    if (await store.getKey(key)) await store.put(message, key)
    return true as const
  })

/** Returns true once it is deleted. */
export const deletePending = (author: string, { clientId }: PendingMessage) =>
  transact('messages', 'readwrite', async (store) => {
    await store.delete([author, clientId])
    return true as const
  })

export const deleteAllPending = (author: string) =>
  transact('messages', 'readwrite', (store) => store.delete(allOf(author)))

/** Returns whether the holder has the lease now; true if the tabs share nothing. */
export const takeLease = async (name: string, holder: string, forMs: number) =>
  (await transact('leases', 'readwrite', async (store) => {
    const lease = await store.get(name)
    const now = Date.now()
    // A lease that ends later than possible was written before the clock was set back.
    const isHeld = lease && lease.holder !== holder && lease.until > now && lease.until <= now + forMs
    if (!isHeld) await store.put({ holder, until: now + forMs }, name)
    return !isHeld
  })) ?? true

export const endLease = (name: string, holder: string) =>
  transact('leases', 'readwrite', async (store) => {
    if ((await store.get(name))?.holder === holder) await store.delete(name)
  })
