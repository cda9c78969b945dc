import { useSyncExternalStore } from 'react'
import type { SignOutAnswer } from '#contract/identity'
import { onRelease, releaseDevice } from '../ui/device/clear-storage.ts'
import { isEnding, setEnding, tabChannel, tabLocks } from '../ui/device/local-storage.ts'
import { type Part, parts } from './leaving.ts'
import { currentSpeaker, forgetToken, identity, readMe } from './session.ts'

/** Milliseconds between two tries to end a session, the first and the last. */
const SHORTEST_MS = 2000
const LONGEST_MS = 60_000
/** Milliseconds that signing out waits for what is still to be sent; and in which other tabs say that they have some. */
const FINISH_TIMEOUT_MS = 4000
const ANSWER_MS = 50

let delay = SHORTEST_MS
let timer: ReturnType<typeof setTimeout> | undefined
let trying: Promise<string | null> | undefined
const watchers = new Set<() => void>()

/**
 * Signs out: this page and browser forget at once, and the session ends as soon as the server can be told, whatever
 * happens to the page until then. `leave` shows that nobody is here any more.
 */
export async function signOut(leave: () => void) {
  setEnding(true)
  await forget(leave)
  // It may not have had room for it before.
  setEnding(true)
  try {
    const providersEnd = await endSessionLeft()
    if (providersEnd) window.location.assign(providersEnd)
  } catch (error) {
    console.error('Sign-out failed:', error)
  }
}

/** Leaves this tab when its person signs out in another one; answers how to stop listening. */
export const followSignOut = (person: string, leave: () => void, refresh: () => Promise<unknown>) =>
  onRelease(person, async () => {
    // Somebody may have taken away what this browser keeps, and be still signed in.
    const now = await readMe().catch(() => null)
    if (now?.id !== person && currentSpeaker() === person) await forget(leave)
    if (now) await refresh()
  })

/** Nothing that a person had here stays, in this page or in the browser. Resolves when the browser has dropped it. */
async function forget(leave: () => void) {
  const person = currentSpeaker()
  forgetToken()
  const all = [...parts].map(({ forget }) => forget?.())
  if (person) all.push(releaseDevice(person))
  leave()
  for (const { status, ...failed } of await Promise.allSettled(all))
    if (status === 'rejected') console.error('Something of whoever signed out may still be here:', failed)
}

/**
 * Ends the session of whoever signed out in this browser, if the server does not know it yet; tried again by itself until
 * it does. Answers where the hosted provider ends its own session, if it does.
 * @throws as `identity`
 */
export function endSessionLeft(): Promise<string | null> {
  trying ??= alone(tryToEnd).finally(() => {
    trying = undefined
  })
  return trying
}

async function tryToEnd() {
  clearTimeout(timer)
  if (!isEnding()) return null
  try {
    const { redirectTo } = await identity<SignOutAnswer>('POST', '/sign-out', {})
    setEnding(false)
    delay = SHORTEST_MS
    for (const watcher of watchers) watcher()
    return redirectTo
  } catch (error) {
    timer = setTimeout(again, delay)
    delay = Math.min(delay * 2, LONGEST_MS)
    window.addEventListener('online', again, { once: true })
    throw error
  }
}

const again = () => void endSessionLeft().catch((error) => console.error('Sign-out failed:', error))

/** One tab at a time: an answer that comes late would take the next person's cookie away. */
async function alone<T>(act: () => Promise<T>): Promise<T> {
  const locks = tabLocks()
  return locks ? locks.request('parley sign-out', act) : act()
}

/** Whether somebody signed out here and the server does not know yet; it is told as long as this is looked at. */
export const useEnding = () => useSyncExternalStore(watch, isEnding)

function watch(watcher: () => void) {
  watchers.add(watcher)
  window.addEventListener('storage', watcher)
  if (isEnding()) again()
  return () => {
    watchers.delete(watcher)
    window.removeEventListener('storage', watcher)
  }
}

/** Sends what this page has still to send; answers what is lost, a sentence each. */
async function finishAll(): Promise<string[]> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, FINISH_TIMEOUT_MS))
  const finish = ({ finish }: Part) =>
    Promise.race([finish?.(), late]).catch((error) => {
      console.error('Something could not be finished before signing out:', error)
      return undefined
    })
  return (await Promise.all([...parts].map(finish))).filter((lost) => lost !== undefined)
}

// Other tabs may have something to finish too: asked for it, each says at once that it begins, and later that it is done.

interface Word {
  kind: 'finish' | 'begun' | 'done'
  person: string | undefined
  /** What of that tab is lost, a sentence each. */
  lost?: string[]
}

const tabs = tabChannel('parley sign-out')
let begun = 0
let lostElsewhere: string[] = []
let heard = () => {}
if (tabs) {
  tabs.onmessage = async ({ data }: MessageEvent<Word>) => {
    const { kind, person, lost = [] } = data
    if (person !== currentSpeaker()) return
    if (kind === 'begun') begun++
    if (kind === 'done') begun--
    lostElsewhere.push(...lost)
    heard()
    if (kind !== 'finish') return
    tabs.postMessage({ kind: 'begun', person })
    const unfinished = await finishAll()
    const held = [...parts].flatMap(({ heldHere }) => heldHere?.() ?? [])
    tabs.postMessage({ kind: 'done', person, lost: [...unfinished, ...held] })
  }
}

/** Sends what is still to be sent, in all tabs; answers what is lost, a sentence each. */
export async function finishEverywhere(): Promise<string[]> {
  begun = 0
  lostElsewhere = []
  tabs?.postMessage({ kind: 'finish', person: currentSpeaker() })
  const others = new Promise<void>((resolve) => {
    const look = () => begun === 0 && resolve()
    setTimeout(() => {
      heard = look
      look()
    }, ANSWER_MS)
    setTimeout(resolve, FINISH_TIMEOUT_MS)
  })
  const [lost] = await Promise.all([finishAll(), tabs && others])
  heard = () => {}
  return [...new Set([...lost, ...lostElsewhere])]
}
