import { SHELL_MARK } from './cache-names.ts'
import { DEVICE_COOKIE, hasDatabases, takeCookie } from './local-storage.ts'

// The device cache: what this browser keeps of the session, so that the next page shows it before the server answers. Each
// record is encrypted under a key that is derived from two halves: one that no script can read (in IndexedDB), and the
// secret of the session (which the server sends with each page of it). Why: docs/decisions/0028-device-cache.md. This file
// only reads; `device-cache-writer.ts` writes, and `clear-storage.ts` removes everything.

export const DEVICE_DATABASE = 'parley.device'
/** The half of the key; sizes and ages of the records; their encrypted content, under the same names. */
export const DEVICE_STORES = ['halves', 'entries', 'contents'] as const
export const HALF = 'half'

/** One half of the key. A new id means that the cache was emptied. */
export interface Half {
  id: string
  key: CryptoKey
}

export interface Sealed {
  iv: Uint8Array<ArrayBuffer>
  content: ArrayBuffer
}

/** Records are only read by the build that wrote them, so their shape is always the expected one. */
const BUILD = new URL(import.meta.url).pathname

export const bytesOf = (text: string) => new TextEncoder().encode(text)

let secret: string | undefined

/** Moves the secret from the cookie of the last response into the memory of this page. */
export function takeSecret() {
  secret = takeCookie(DEVICE_COOKIE) ?? secret
}

export function forgetSecret() {
  takeSecret()
  secret = undefined
}

/** Whether this page is from the service worker's shell, not from the server: no one has checked its session. */
export const isFromShell = globalThis.document?.documentElement?.hasAttribute(SHELL_MARK) === true
// A secret that an earlier page left in its cookie may be of a session that has ended.
if (isFromShell) forgetSecret()

/** The secret of the session; undefined without one, and where the browser has no database or cannot encrypt. */
export function deviceSecret() {
  takeSecret()
  return hasDatabases() && globalThis.crypto?.subtle ? secret : undefined
}

export const deriveKey = ({ key }: Half, secret: string) =>
  crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: bytesOf(secret), info: bytesOf(BUILD) },
    key,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )

/** The name is authenticated, so that no record can be passed off as another one. */
export const cipher = (name: string, iv: Sealed['iv']) => ({ name: 'AES-GCM', iv, additionalData: bytesOf(name) })

/** @throws if another session or build wrote it, or it is damaged */
export async function unseal(key: CryptoKey, name: string, { iv, content }: Sealed): Promise<unknown> {
  return JSON.parse(new TextDecoder().decode(await crypto.subtle.decrypt(cipher(name, iv), key, content)))
}

/** Reads records by name. Those that do not exist or cannot be read are undefined. Never throws. */
export async function readDeviceCache(names: readonly string[]): Promise<unknown[]> {
  const secret = deviceSecret()
  if (!secret) return []
  try {
    const [half, ...sealed] = await load(names)
    if (!half) return []
    const key = await deriveKey(half as Half, secret)
    return await Promise.all(
      names.map((name, at) => sealed[at] && unseal(key, name, sealed[at] as Sealed).catch(() => undefined)),
    )
  } catch (error) {
    console.error('Failed to read the device cache:', error)
    return []
  }
}

/** The half of the key, and the records, in one transaction; empty if there is no database. */
async function load(names: readonly string[]): Promise<unknown[]> {
  const opening = indexedDB.open(DEVICE_DATABASE)
  let isNew = false
  // Only the writer creates it.
  opening.onupgradeneeded = () => {
    isNew = true
    opening.transaction?.abort()
  }
  const database = await answer(opening).catch((error) => {
    if (isNew) return undefined
    throw error
  })
  if (!database) return []
  const tx = database.transaction(['halves', 'contents'])
  const requests = [tx.objectStore('halves').get(HALF), ...names.map((name) => tx.objectStore('contents').get(name))]
  // Closes after the transaction.
  database.close()
  return Promise.all(requests.map(answer))
}

const answer = <T>(request: IDBRequest<T>) =>
  new Promise<T>((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
