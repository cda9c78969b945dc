// All access to the browser's storage, which may be forbidden or full. There are two kinds of keys. Device preferences
// belong to no user and are never cleared. Everything else is `parley.NAME.USER…`: it is written only while this device
// may store that user's data, and removed when they sign out.

/** Preferences of this device, which reveal nothing about its users. */
export const deviceKeys = new Set([
  'parley.theme',
  'parley.language',
  'parley.letters',
  'parley.announce',
  'parley.notJoined',
  'parley.formatting',
  'parley.newLines',
  'parley.keep',
  'parley.previews',
  'parley.undoSend',
  'parley.notifications',
  'parley.notifications.offer',
])
/** Unsent text. It survives an expired session and another user's session. */
export const unsentNames = new Set(['draft', 'unsent', 'attached'])
/** The users whose data this device may store, the current one first, each with the id of a stay (sign-in to sign-out). */
export const PEOPLE_KEY = 'parley.people'
/** Set while a sign-out has not reached the server. */
export const SIGN_OUT_KEY = 'parley.ending'

type People = [person: string, stay: string][]

let hasLoggedStorage = false

function attempt<T>(act: (storage: Storage) => T): T | undefined {
  try {
    return act(localStorage)
  } catch (error) {
    if (!hasLoggedStorage) console.error('Browser storage is unavailable:', error)
    hasLoggedStorage = true
    return undefined
  }
}

/** False after a failure. */
export const isStorageWorking = () => !hasLoggedStorage

/** The stored value; undefined if there is none, or storage fails. */
export const readItem = (key: string) => attempt((storage) => storage.getItem(key)) ?? undefined

/**
 * Stores a value, or removes it without one. Returns false if the browser refuses, or the user signed out in another
 * tab.
 */
export const saveItem = (key: string, value?: string): boolean =>
  (value === undefined || mayStore(key)) && writeItem(key, value)

export function writeItem(key: string, value?: string): boolean {
  return (
    attempt((storage) => {
      if (value === undefined) storage.removeItem(key)
      else storage.setItem(key, value)
      return true
    }) ?? false
  )
}

export const keysWithPrefix = (prefix: string) =>
  attempt((storage) => Object.keys(storage).filter((key) => key.startsWith(prefix))) ?? []

/** A stored JSON value; null if there is none, or it is corrupt. */
export function readJson(key: string): unknown {
  try {
    return JSON.parse(readItem(key) ?? 'null')
  } catch (error) {
    console.error(`The stored ${key} is corrupt:`, error)
    return null
  }
}

/** The stays that began in this page, by user. */
const stays = new Map<string, string>()

export function storedPeople(): People {
  const stored = readJson(PEOPLE_KEY)
  return Array.isArray(stored) ? stored.filter((entry) => Array.isArray(entry) && typeof entry[0] === 'string') : []
}

/**
 * Whether this page may store a user's data: not after they signed out in another tab, even if they signed in again.
 */
export function mayStoreFor(person: string): boolean {
  const stay = stays.get(person)
  return stay === undefined || storedPeople().some(([id, storedStay]) => id === person && storedStay === stay)
}

function mayStore(key: string) {
  if (deviceKeys.has(key)) return true
  const [, , person] = key.split('.')
  return person !== undefined && mayStoreFor(person)
}

/** Records a user as signed in here. Returns whether another user was and did not sign out. */
export function claimDevice(person: string): boolean {
  const all = storedPeople()
  const stay = all.find(([id]) => id === person)?.[1] ?? String(Math.random())
  const isFirst = all[0]?.[0] === person
  // Without the record a later sign-out could not be detected.
  if (isFirst || writeItem(PEOPLE_KEY, JSON.stringify([[person, stay], ...all.filter(([id]) => id !== person)])))
    stays.set(person, stay)
  return !isFirst && all.length > 0
}

/** For browsers without storage. Otherwise only storage counts: another tab may have reached the server. */
let isSignOutPendingHere = false

/** Whether a sign-out has not reached the server yet. */
export const isSignOutPending = () => isSignOutPendingHere || readItem(SIGN_OUT_KEY) !== undefined

export function setSignOutPending(isPending: boolean) {
  isSignOutPendingHere = !writeItem(SIGN_OUT_KEY, isPending ? '1' : undefined) && isPending
}

let hasLoggedFeature = false

/** Gets a feature, or undefined if the browser lacks or forbids it. */
function attemptFeature<T>(get: () => T): T | undefined {
  try {
    return get()
  } catch (error) {
    if (!hasLoggedFeature) console.error('A browser feature is unavailable:', error)
    hasLoggedFeature = true
    return undefined
  }
}

/** Values for this tab that its browser refused to store. */
const tabItems = new Map<string, string>()

/** A value stored for this tab only; if the browser stores none, until the page is reloaded. */
export const readTabItem = (key: string) =>
  tabItems.get(key) ?? attemptFeature(() => sessionStorage.getItem(key)) ?? undefined

/** Stores a value for this tab, or removes it without one. */
export function saveTabItem(key: string, value?: string) {
  const isStored = attemptFeature(() => {
    if (value === undefined) sessionStorage.removeItem(key)
    else sessionStorage.setItem(key, value)
    return true
  })
  if (isStored || value === undefined) tabItems.delete(key)
  else tabItems.set(key, value)
}

export function clearTabItems() {
  tabItems.clear()
  attemptFeature(() => sessionStorage.clear())
}

/** Locks between tabs; undefined on plain http other than localhost. */
export const tabLocks = () => attemptFeature(() => globalThis.navigator?.locks as LockManager | undefined)

/** A channel to the other tabs. */
export const tabChannel = (name: string) => attemptFeature(() => new BroadcastChannel(name))

/** Whether IndexedDB is available. */
export const hasDatabases = () => attemptFeature(() => typeof indexedDB !== 'undefined' && indexedDB !== null) ?? false

/** The cookie that delivers the secret of the session (server/identity/device-secret.ts). */
export const DEVICE_COOKIE = 'parley.device'

/** Removes a cookie that scripts may read, and returns what it held. */
export const takeCookie = (name: string) =>
  attemptFeature(() => {
    const found = globalThis.document?.cookie.split('; ').find((cookie) => cookie.startsWith(`${name}=`))
    // biome-ignore lint/suspicious/noDocumentCookie: plain http has no other way
    if (found) document.cookie = `${name}=;max-age=0;path=/`
    return found?.slice(name.length + 1)
  }) || undefined
