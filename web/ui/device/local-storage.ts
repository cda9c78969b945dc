// Everything that Parley keeps in a browser goes through here: a browser may forbid any of it, and it may be full. Two
// kinds of keys exist. A choice for the device names nobody and stays. Everything else is `parley.NAME.PERSON…`: it is
// written only while this device may hold that person's things, and removed when they sign out.

/** Choices for this device: they say nothing about who was here or what was said. */
export const deviceKeys = new Set([
  'parley.theme',
  'parley.letters',
  'parley.announce',
  'parley.notifications',
  'parley.notifications.offer',
])
/** What was typed and not sent. It waits for its author through an expired session and another person's visit. */
export const unsentNames = new Set(['draft', 'unsent', 'attached'])
/** The people whose things this device may hold, the present one first, each with the stay it began. */
export const PEOPLE_KEY = 'parley.people'
/** Someone signed out here, and the server does not know yet. */
export const SIGN_OUT_KEY = 'parley.ending'

type People = [person: string, stay: string][]

let hasLoggedStorage = false

function attempt<T>(act: (storage: Storage) => T): T | undefined {
  try {
    return act(localStorage)
  } catch (error) {
    if (!hasLoggedStorage) console.error('This device keeps nothing for this page:', error)
    hasLoggedStorage = true
    return undefined
  }
}

/** Whether it has worked so far. */
export const isStorageWorking = () => !hasLoggedStorage

/** What is kept there; nothing also where nothing can be. */
export const readItem = (key: string) => attempt((storage) => storage.getItem(key)) ?? undefined

/**
 * Without a value, nothing is kept there any more. Answers whether it worked: not where the browser refuses, nor for
 * somebody who signed out meanwhile in another tab.
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

/** What was kept as JSON; nothing where it was spoiled. */
export function readJson(key: string): unknown {
  try {
    return JSON.parse(readItem(key) ?? 'null')
  } catch (error) {
    console.error(`What this device kept as ${key} cannot be read:`, error)
    return null
  }
}

/** The stays that began in this page, by person. */
const stays = new Map<string, string>()

export function storedPeople(): People {
  const kept = readJson(PEOPLE_KEY)
  return Array.isArray(kept) ? kept.filter((it) => Array.isArray(it) && typeof it[0] === 'string') : []
}

/** Whether this device may hold a person's things: not when they signed out in another tab, also if they came again. */
export function mayStoreFor(person: string): boolean {
  const stay = stays.get(person)
  return stay === undefined || storedPeople().some(([it, kept]) => it === person && kept === stay)
}

function mayStore(key: string) {
  if (deviceKeys.has(key)) return true
  const [, , person] = key.split('.')
  return person !== undefined && mayStoreFor(person)
}

/** Somebody is signed in here. Answers whether somebody else was before, who did not sign out. */
export function claimDevice(person: string): boolean {
  const all = storedPeople()
  const stay = all.find(([it]) => it === person)?.[1] ?? String(Math.random())
  const isFirst = all[0]?.[0] === person
  // Without a word about it nobody can be said to be gone.
  if (isFirst || writeItem(PEOPLE_KEY, JSON.stringify([[person, stay], ...all.filter(([it]) => it !== person)])))
    stays.set(person, stay)
  return !isFirst && all.length > 0
}

/** Where the browser keeps nothing. Else only what it keeps counts: another tab may have told the server. */
let isSignOutPendingHere = false

/** Whether somebody signed out here and the server does not know yet. */
export const isSignOutPending = () => isSignOutPendingHere || readItem(SIGN_OUT_KEY) !== undefined

export function setSignOutPending(isSo: boolean) {
  isSignOutPendingHere = !writeItem(SIGN_OUT_KEY, isSo ? '1' : undefined) && isSo
}

let hasLoggedFeature = false

/** Something that a browser may not have, or forbid; undefined then. */
function attemptFeature<T>(get: () => T): T | undefined {
  try {
    return get()
  } catch (error) {
    if (!hasLoggedFeature) console.error('The browser forbids this page a part of itself:', error)
    hasLoggedFeature = true
    return undefined
  }
}

/** What is kept for this tab alone, for as long as it stands. */
export const readTabItem = (key: string) => attemptFeature(() => sessionStorage.getItem(key)) ?? undefined

/** Without a value, nothing is kept there any more. */
export const saveTabItem = (key: string, value?: string) =>
  attemptFeature(() => (value === undefined ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, value)))

/** Locks shared by the tabs; not on plain http off localhost. */
export const tabLocks = () => attemptFeature(() => globalThis.navigator?.locks as LockManager | undefined)

/** A line to the other tabs. */
export const tabChannel = (name: string) => attemptFeature(() => new BroadcastChannel(name))

/** The database of the outbox: messages under [person, clientId]. */
export const DATABASE_NAME = 'parley'

/** Whether there are databases; not where storage is forbidden. */
export const hasDatabases = () => attemptFeature(() => typeof indexedDB !== 'undefined' && indexedDB !== null) ?? false
