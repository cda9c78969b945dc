// Everything that Parley keeps in a browser goes through here: a browser may forbid any of it, and it may be full. Two
// kinds of keys exist. A choice for the device names nobody and stays. Everything else is `parley.NAME.PERSON…`: it is
// written only while this device may hold that person's things, and removed when they sign out.

/** Choices for this device: they say nothing about who was here or what was said. */
export const deviceChoices = new Set([
  'parley.theme',
  'parley.letters',
  'parley.announce',
  'parley.notifications',
  'parley.notifications.offer',
])
/** What was typed and not sent. It waits for its author through an expired session and another person's visit. */
export const unsentNames = new Set(['draft', 'unsent', 'attached'])
/** The people whose things this device may hold, the present one first, each with the stay it began. */
export const PEOPLE = 'parley.people'
/** Someone signed out here, and the server does not know yet. */
export const ENDING = 'parley.ending'

type People = [person: string, stay: string][]

let complained = false

function attempt<T>(act: (storage: Storage) => T): T | undefined {
  try {
    return act(localStorage)
  } catch (error) {
    if (!complained) console.error('This device keeps nothing for this page:', error)
    complained = true
    return undefined
  }
}

/** Whether it has worked so far. */
export const isMemoryThere = () => !complained

/** What is kept there; nothing also where nothing can be. */
export const recall = (key: string) => attempt((storage) => storage.getItem(key)) ?? undefined

/**
 * Without a value, nothing is kept there any more. Answers whether it worked: not where the browser refuses, nor for
 * somebody who signed out meanwhile in another tab.
 */
export const keep = (key: string, value?: string): boolean => (value === undefined || mayKeep(key)) && write(key, value)

export function write(key: string, value?: string): boolean {
  return (
    attempt((storage) => {
      if (value === undefined) storage.removeItem(key)
      else storage.setItem(key, value)
      return true
    }) ?? false
  )
}

export const keysFrom = (prefix: string) =>
  attempt((storage) => Object.keys(storage).filter((key) => key.startsWith(prefix))) ?? []

/** What was kept as JSON; nothing where it was spoiled. */
export function recallJson(key: string): unknown {
  try {
    return JSON.parse(recall(key) ?? 'null')
  } catch (error) {
    console.error(`What this device kept as ${key} cannot be read:`, error)
    return null
  }
}

/** The stays that began in this page, by person. */
const stays = new Map<string, string>()

export function people(): People {
  const kept = recallJson(PEOPLE)
  return Array.isArray(kept) ? kept.filter((it) => Array.isArray(it) && typeof it[0] === 'string') : []
}

/** Whether this device may hold a person's things: not when they signed out in another tab, also if they came again. */
export function mayKeepFor(person: string): boolean {
  const stay = stays.get(person)
  return stay === undefined || people().some(([it, kept]) => it === person && kept === stay)
}

function mayKeep(key: string) {
  if (deviceChoices.has(key)) return true
  const [, , person] = key.split('.')
  return person !== undefined && mayKeepFor(person)
}

/** Somebody is signed in here. Answers whether somebody else was before, who did not sign out. */
export function claimDevice(person: string): boolean {
  const all = people()
  const stay = all.find(([it]) => it === person)?.[1] ?? String(Math.random())
  const isFirst = all[0]?.[0] === person
  // Without a word about it nobody can be said to be gone.
  if (isFirst || write(PEOPLE, JSON.stringify([[person, stay], ...all.filter(([it]) => it !== person)])))
    stays.set(person, stay)
  return !isFirst && all.length > 0
}

/** Where the browser keeps nothing. Else only what it keeps counts: another tab may have told the server. */
let isEndingHere = false

/** Whether somebody signed out here and the server does not know yet. */
export const isEnding = () => isEndingHere || recall(ENDING) !== undefined

export function setEnding(isSo: boolean) {
  isEndingHere = !write(ENDING, isSo ? '1' : undefined) && isSo
}

let hasComplained = false

/** Something that a browser may not have, or forbid; undefined then. */
function part<T>(get: () => T): T | undefined {
  try {
    return get()
  } catch (error) {
    if (!hasComplained) console.error('The browser forbids this page a part of itself:', error)
    hasComplained = true
    return undefined
  }
}

/** What is kept for this tab alone, for as long as it stands. */
export const recallInTab = (key: string) => part(() => sessionStorage.getItem(key)) ?? undefined

/** Without a value, nothing is kept there any more. */
export const keepInTab = (key: string, value?: string) =>
  part(() => (value === undefined ? sessionStorage.removeItem(key) : sessionStorage.setItem(key, value)))

/** Locks shared by the tabs; not on plain http off localhost. */
export const tabLocks = () => part(() => globalThis.navigator?.locks as LockManager | undefined)

/** A line to the other tabs. */
export const tabChannel = (name: string) => part(() => new BroadcastChannel(name))

/** The database of the outbox: messages under [person, clientId]. */
export const DATABASE = 'parley'

/** Whether there are databases; not where storage is forbidden. */
export const hasDatabases = () => part(() => typeof indexedDB !== 'undefined' && indexedDB !== null) ?? false
