import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import {
  bytesOf,
  cipher,
  DEVICE_DATABASE,
  DEVICE_STORES,
  deriveKey,
  deviceSecret,
  HALF,
  type Half,
  type Sealed,
  unseal,
} from './device-cache.ts'
import { evicted, MAX_RECORD_BYTES } from './device-cache-eviction.ts'

/** Metadata of a record, readable without the key. */
interface Entry {
  bytes: number
  /** When it was last on screen; Unix time in milliseconds. */
  usedAt: number
  /** The state of the server that it shows: a lower revision of the same history never replaces a higher one. */
  epoch: string
  rev: number
}

interface DeviceSchema extends DBSchema {
  halves: { key: string; value: Half }
  entries: { key: string; value: Entry }
  contents: { key: string; value: Sealed }
}

interface Kept {
  name: string
  entry: Entry
  value: unknown
}

export type DeviceCacheWriter = NonNullable<Awaited<ReturnType<typeof openDeviceCache>>>

/**
 * Opens the device cache for writing, and creates it if there is none.
 * @param mayKeep checked before each write
 * @returns undefined without a session's secret or a database
 */
export async function openDeviceCache(mayKeep: () => boolean) {
  const secret = deviceSecret()
  if (!secret || !mayKeep()) return undefined
  const database = await openDB<DeviceSchema>(DEVICE_DATABASE, 1, {
    upgrade: (db) => {
      for (const store of DEVICE_STORES) db.createObjectStore(store)
    },
    // A newer Parley in another tab.
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase).close(),
  })
  const half = await halfOf(database)
  const key = await deriveKey(half, secret)

  /** Runs a change, unless the cache was emptied since this page opened it, or the user keeps nothing any more. */
  async function change(act: (tx: ReturnType<typeof writable>) => Promise<unknown>) {
    const tx = writable(database)
    const apply = async () => {
      const isCurrent = (await tx.objectStore('halves').get(HALF))?.id === half.id
      if (isCurrent && mayKeep()) await act(tx)
    }
    await Promise.all([apply(), tx.done])
  }

  return {
    /** Returns all records, and removes those that this session and build cannot read. */
    async readAll(): Promise<Kept[]> {
      const tx = database.transaction(['entries', 'contents'])
      const names = await tx.objectStore('contents').getAllKeys()
      const contents = await tx.objectStore('contents').getAll()
      const entries = await Promise.all(names.map((name) => tx.objectStore('entries').get(name)))
      const read = await Promise.all(
        names.map(async (name, at) => {
          const entry = entries[at]
          const value = await unseal(key, name, contents[at] as Sealed).catch(() => undefined)
          return entry && value !== undefined ? { name, entry, value } : name
        }),
      )
      await this.remove(read.filter((it) => typeof it === 'string'))
      return read.filter((it) => typeof it === 'object')
    },

    /** Writes a record and evicts the least recently used ones. Returns its size. */
    async write(name: string, value: unknown, { usedAt, epoch, rev }: Omit<Entry, 'bytes'>) {
      const sealed = await seal(key, name, value)
      const bytes = sealed.content.byteLength
      if (bytes > MAX_RECORD_BYTES) {
        await this.remove([name])
        return bytes
      }
      await change(async (tx) => {
        const entries = tx.objectStore('entries')
        const held = await entries.get(name)
        if (held?.epoch === epoch && held.rev > rev) return
        const entry = { bytes, usedAt: Math.max(usedAt, held?.usedAt ?? 0), epoch, rev }
        await Promise.all([entries.put(entry, name), tx.objectStore('contents').put(sealed, name)])
        const [names, all] = await Promise.all([entries.getAllKeys(), entries.getAll()])
        for (const old of evicted(names.map((of, at) => [of, all[at] as Entry]))) await removeIn(tx, old)
      })
      return bytes
    },

    async remove(names: string[]) {
      if (names.length > 0) await change((tx) => Promise.all(names.map((name) => removeIn(tx, name))))
    },

    names: () => database.getAllKeys('entries'),
    close: () => database.close(),
  }
}

async function seal(key: CryptoKey, name: string, value: unknown): Promise<Sealed> {
  const iv = crypto.getRandomValues(new Uint8Array(12))
  return { iv, content: await crypto.subtle.encrypt(cipher(name, iv), key, bytesOf(JSON.stringify(value))) }
}

const writable = (database: IDBPDatabase<DeviceSchema>) => database.transaction(DEVICE_STORES, 'readwrite')

const removeIn = (tx: ReturnType<typeof writable>, name: string) =>
  Promise.all([tx.objectStore('entries').delete(name), tx.objectStore('contents').delete(name)])

/** The half of the key on this device. No script can read its bytes after this. */
async function halfOf(database: IDBPDatabase<DeviceSchema>): Promise<Half> {
  const random = crypto.getRandomValues(new Uint8Array(32))
  const key = await crypto.subtle.importKey('raw', random, 'HKDF', false, ['deriveKey'])
  const tx = database.transaction(DEVICE_STORES, 'readwrite')
  const halves = tx.objectStore('halves')
  const hold = async () => {
    const half = (await halves.get(HALF)) ?? { id: String(Math.random()), key }
    await halves.put(half, HALF)
    return half
  }
  const [half] = await Promise.all([hold(), tx.done])
  return half
}
