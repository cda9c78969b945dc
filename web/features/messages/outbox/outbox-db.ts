import type { IDBPDatabase, IDBPTransaction } from 'idb'
import { hasDatabases, mayStoreFor } from '../../../ui/device/local-storage.ts'
import type { OutboxSchema } from './outbox-database.ts'
import type { PendingMessage } from './pending-message.ts'

// The outbox on this device: one IndexedDB for all tabs. Nothing here ever throws. Where the browser keeps nothing
// (a private window, a full disk), it answers so, and what the tab holds in memory is all there is.

type Store = keyof OutboxSchema & ('messages' | 'leases')

/** Milliseconds until the database has to be open: another tab can hold it back, and nobody waits for that to send. */
const PATIENCE = 3000
/** Milliseconds until code that did not come is asked for again. */
const CODE_RETRY_DELAY_MS = 2000

let complained = false
function complain(error: unknown) {
  if (!complained) console.error('Unsent messages cannot be kept on this device:', error)
  complained = true
}

let opening: Promise<IDBPDatabase<OutboxSchema> | undefined> | undefined
let isAway = !hasDatabases()

/** Whether what is written is kept here. */
export const isStoreThere = () => !isAway

/**
 * Its code comes when it is first asked for. Where that fails it is asked for again, but not at once: what follows for the
 * same message does not wait once more.
 */
async function open() {
  try {
    const { openDatabase } = await inTime(import('./outbox-database.ts'), 'The code of the database did not come')
    return await openWith(openDatabase)
  } catch (error) {
    complain(error)
    setTimeout(() => {
      opening = undefined
    }, CODE_RETRY_DELAY_MS)
    return undefined
  }
}

async function openWith(openDatabase: typeof import('./outbox-database.ts').openDatabase) {
  const away = () => {
    isAway = true
    opening = Promise.resolve(undefined)
  }
  // Asynchronous, because where storage is forbidden even asking for it throws.
  const database = (async () => openDatabase(away))()
  try {
    return await inTime(database, 'The database did not open')
  } catch (error) {
    complain(error)
    away()
    // It may come after all; then it is nobody's.
    database.then(
      (db) => db.close(),
      () => {},
    )
    return undefined
  }
}

const inTime = <T>(wanted: Promise<T>, problem: string) =>
  Promise.race([
    wanted,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error(problem)), PATIENCE)
    }),
  ])

/** One transaction. They take place in the order of the calls, which is what outbox-rows.ts counts on. */
async function within<S extends Store, T>(
  store: S,
  mode: 'readonly' | 'readwrite',
  work: (tx: IDBPTransaction<OutboxSchema, [S], 'readwrite'>['store']) => Promise<T>,
): Promise<T | undefined> {
  if (isAway) return undefined
  opening ??= open()
  const db = await opening
  try {
    const tx = db?.transaction(store, mode)
    if (!tx) return undefined
    const [result] = await Promise.all([work(tx.store as never), tx.done])
    return result
  } catch (error) {
    complain(error)
    return undefined
  }
}

const allOf = (author: string) => IDBKeyRange.bound([author], [author, []])

/** What somebody wrote and the server has not confirmed; undefined where nothing is kept. */
export const storedBy = (author: string) => within('messages', 'readonly', (store) => store.getAll(allOf(author)))

/** Answers whether it is kept now. Of somebody who signed out in another tab nothing is. */
export const store = (author: string, message: PendingMessage) =>
  within('messages', 'readwrite', async (store) => {
    if (mayStoreFor(author)) await store.put(message, [author, message.clientId])
    return true
  })

/** Keeps what became of a message, unless another tab took it out meanwhile. */
export const restore = (author: string, message: PendingMessage) =>
  within('messages', 'readwrite', async (store) => {
    const key: [string, string] = [author, message.clientId]
    if (await store.getKey(key)) await store.put(message, key)
    return true
  })

export const unstore = (author: string, { clientId }: PendingMessage) =>
  within('messages', 'readwrite', (store) => store.delete([author, clientId]))

export const unstoreAll = (author: string) => within('messages', 'readwrite', (store) => store.delete(allOf(author)))

/** Answers whether the lease is the holder's now; true also where there is nothing to share. */
export const takeLease = async (name: string, holder: string, forMs: number) =>
  (await within('leases', 'readwrite', async (store) => {
    const lease = await store.get(name)
    const now = Date.now()
    // One that ends later than any could is of a clock that was set back.
    const isHeld = lease && lease.holder !== holder && lease.until > now && lease.until <= now + forMs
    if (!isHeld) await store.put({ holder, until: now + forMs }, name)
    return !isHeld
  })) ?? true

export const endLease = (name: string, holder: string) =>
  within('leases', 'readwrite', async (store) => {
    if ((await store.get(name))?.holder === holder) await store.delete(name)
  })
