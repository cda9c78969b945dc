import { SHELL_CACHES } from './cache-names.ts'
import { DATABASE_NAME } from './database-name.ts'
import { DEVICE_DATABASE, DEVICE_STORES, forgetSecret } from './device-cache.ts'
import {
  clearTabItems,
  deviceKeys,
  hasDatabases,
  keysWithPrefix,
  mayStoreFor,
  PEOPLE_KEY,
  SIGN_OUT_KEY,
  storedPeople,
  unsentNames,
  writeItem,
} from './local-storage.ts'
import { endPush } from './push-owner.ts'
import { endSharesOwner, removeOthersShares, SHARES_CACHE } from './shares.ts'

const DATABASE_TIMEOUT_MS = 3000

/** Removes all data of a user who signed out. Other tabs notice, and stop storing data for them. */
export async function clearUserData(person: string) {
  const others = storedPeople().filter(([id]) => id !== person)
  writeItem(PEOPLE_KEY, others.length > 0 ? JSON.stringify(others) : undefined)
  const timeout = new Promise((resolve) => setTimeout(resolve, DATABASE_TIMEOUT_MS))
  await Promise.all([
    removeAllBut((name, owner) => unsentNames.has(name) && others.some(([id]) => id === owner)),
    hasDatabases() && Promise.race([deleteOutbox(person), timeout]),
    Promise.race([clearDeviceCache(), timeout]),
    endPush(),
  ])
}

const deleteOutbox = (person: string) =>
  changeDatabase(DATABASE_NAME, ['messages'], (tx) =>
    tx.objectStore('messages').delete(IDBKeyRange.bound([person], [person, []])),
  )

/** Ends the device cache: removes the records, their half key and the session's secret. No open page writes there again. */
export async function clearDeviceCache() {
  forgetSecret()
  await emptyDeviceCache()
}

/** Like `clearDeviceCache`, but keeps the secret, which belongs to the current session. */
export async function emptyDeviceCache() {
  if (!hasDatabases()) return
  await changeDatabase(DEVICE_DATABASE, DEVICE_STORES, (tx) => {
    for (const store of DEVICE_STORES) tx.objectStore(store).clear()
  })
}

/** Changes a database if it exists. Avoids the feature's own code, which is lazy-loaded and may be missing. */
const changeDatabase = (name: string, stores: readonly string[], change: (tx: IDBTransaction) => void) =>
  new Promise<void>((resolve, reject) => {
    const opening = indexedDB.open(name)
    // There is no database; do not create one.
    opening.onupgradeneeded = () => opening.transaction?.abort()
    opening.onerror = () => resolve()
    opening.onsuccess = () => {
      const database = opening.result
      const tx = database.transaction(stores, 'readwrite')
      change(tx)
      tx.oncomplete = () => resolve()
      tx.onabort = () => reject(tx.error)
      // Closes after the transaction.
      database.close()
    }
  })

/** Removes the data of users who did not sign out, when another one signs in. Only their unsent text stays, hidden. */
export const clearOthersData = (person: string) =>
  Promise.all([
    removeAllBut(
      (name, owner) => owner === person || unsentNames.has(name),
      (name) => name === SHARES_CACHE,
    ),
    // What was shared while nobody was signed in belongs to the new user.
    removeOthersShares(person),
    emptyDeviceCache(),
    endPush(),
  ])

/** Clears what belongs to a session that has ended. What other apps share from now on belongs to the next user. */
export const clearSessionData = () => Promise.all([clearDeviceCache(), endSharesOwner(), endPush()])

async function removeAllBut(stays: (name: string, person: string) => boolean, isCacheKept = (_name: string) => false) {
  for (const key of keysWithPrefix('')) {
    const [parley, name = '', person = ''] = key.split('.')
    const isKept = deviceKeys.has(key) || key === PEOPLE_KEY || key === SIGN_OUT_KEY
    if (!isKept && !(parley === 'parley' && stays(name, person))) writeItem(key)
  }
  clearTabItems()
  try {
    const names = (await caches.keys()).filter((name) => !name.startsWith(SHELL_CACHES) && !isCacheKept(name))
    await Promise.all(names.map((name) => caches.delete(name)))
  } catch (error) {
    console.error('Failed to clear the caches:', error)
  }
}

/** Whether storage can be read, even if it is full. */
function isReadable() {
  try {
    return localStorage.length >= 0
  } catch {
    return false
  }
}

/** Calls the listener when a user signed out in another tab. Returns a function that unsubscribes. */
export function onUserDataCleared(person: string, listener: () => void) {
  const check = () => {
    if (isReadable() && !mayStoreFor(person)) listener()
  }
  // A frozen page, or one in the back-forward cache, receives no events, so it checks when shown.
  const events = ['storage', 'pageshow', 'focus']
  for (const name of events) window.addEventListener(name, check)
  check()
  return () => {
    for (const name of events) window.removeEventListener(name, check)
  }
}

/** A response cache; undefined on plain http other than localhost, or if storage is forbidden. */
export async function openCache(name: string): Promise<Cache | undefined> {
  try {
    return await globalThis.caches?.open(name)
  } catch (error) {
    console.error(`Failed to open the cache ${name}:`, error)
    return undefined
  }
}
