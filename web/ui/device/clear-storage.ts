import {
  DATABASE_NAME,
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

/** Milliseconds that signing out waits for a database. */
const DATABASE_TIMEOUT_MS = 3000

/** Somebody signed out: nothing of theirs stays. Other tabs hear of it, and write nothing of theirs any more. */
export async function clearUserData(person: string) {
  const others = storedPeople().filter(([it]) => it !== person)
  writeItem(PEOPLE_KEY, others.length > 0 ? JSON.stringify(others) : undefined)
  const late = new Promise((resolve) => setTimeout(resolve, DATABASE_TIMEOUT_MS))
  await Promise.all([
    removeAllBut((name, whose) => unsentNames.has(name) && others.some(([it]) => it === whose)),
    hasDatabases() && Promise.race([deleteOutbox(person), late]),
  ])
}

/** By the browser's own means: the code that writes them comes late, and may never have come. */
const deleteOutbox = (person: string) =>
  new Promise<void>((resolve, reject) => {
    const opening = indexedDB.open(DATABASE_NAME)
    // There is none, and none is made.
    opening.onupgradeneeded = () => opening.transaction?.abort()
    opening.onerror = () => resolve()
    opening.onsuccess = () => {
      const database = opening.result
      const tx = database.transaction('messages', 'readwrite')
      tx.objectStore('messages').delete(IDBKeyRange.bound([person], [person, []]))
      tx.oncomplete = () => resolve()
      tx.onabort = () => reject(tx.error)
      // Once that is done.
      database.close()
    }
  })

/** Somebody came after others who did not sign out: of those only what they typed stays, and is shown to nobody else. */
export const clearOthersData = (person: string) =>
  removeAllBut((name, whose) => whose === person || unsentNames.has(name))

async function removeAllBut(stays: (name: string, person: string) => boolean) {
  for (const key of keysWithPrefix('')) {
    const [parley, name = '', person = ''] = key.split('.')
    const isKept = deviceKeys.has(key) || key === PEOPLE_KEY || key === SIGN_OUT_KEY
    if (!isKept && !(parley === 'parley' && stays(name, person))) writeItem(key)
  }
  try {
    sessionStorage.clear()
    const names = await caches.keys()
    await Promise.all(names.map((name) => caches.delete(name)))
  } catch (error) {
    console.error('What this browser cached may still be there:', error)
  }
}

/** Whether what is kept can be read, also where there is no room for more. */
function isReadable() {
  try {
    return localStorage.length >= 0
  } catch {
    return false
  }
}

/** Calls `heard` when a person signed out in another tab; answers how to stop listening. */
export function onUserDataCleared(person: string, heard: () => void) {
  const look = () => {
    if (isReadable() && !mayStoreFor(person)) heard()
  }
  // A page that was put aside or frozen hears no event, and looks when it is shown again.
  const all = ['storage', 'pageshow', 'focus']
  for (const name of all) window.addEventListener(name, look)
  look()
  return () => {
    for (const name of all) window.removeEventListener(name, look)
  }
}

/** A cache of answers; not on plain http off localhost, and not where storage is forbidden. */
export async function openCache(name: string): Promise<Cache | undefined> {
  try {
    return await globalThis.caches?.open(name)
  } catch (error) {
    console.error(`The browser keeps no ${name}:`, error)
    return undefined
  }
}
