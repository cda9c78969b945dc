import { useSyncExternalStore } from 'react'
import type { SignOutAnswer, SignOutRequest } from '#contract/identity'
import { retryDelay } from '#contract/retry-delay'
import { clearUserData, onUserDataCleared } from '../ui/device/clear-storage.ts'
import { isSignOutPending, setSignOutPending, tabChannel, tabLocks } from '../ui/device/local-storage.ts'
import { createWatchers } from '../ui/watchers.ts'
import { callIdentity, clearToken, fetchMe, sessionUserId } from './session.ts'
import { type SignOutTask, signOutTasks } from './sign-out-tasks.ts'

const RETRY = { firstMs: 2000, maxMs: 60_000 }
/** How long signing out waits for pending changes, and for other tabs to report that they have some. */
const FINISH_TIMEOUT_MS = 4000
const TAB_REPLY_TIMEOUT_MS = 50

let failures = 0
let timer: ReturnType<typeof setTimeout> | undefined
let attempt: Promise<string | null> | undefined

/**
 * Signs out. This page and browser forget the user at once; the session ends as soon as the server can be reached, even
 * after a reload. `leave` shows the signed-out page.
 */
export async function signOut(leave: () => void) {
  setSignOutPending(true)
  const forgotten = forgetUser(leave)
  // Before the storage is cleared, which can take seconds: the page may be closed at any moment.
  const ended = finishSignOut().catch((error) => {
    console.error('Sign-out failed:', error)
    return null
  })
  await forgotten
  // The storage may have been full before.
  if (isSignOutPending()) setSignOutPending(true)
  const providerSignOut = await ended
  if (providerSignOut) window.location.assign(providerSignOut)
}

/** Signs out of this tab when its user signs out in another one. Returns a function that unsubscribes. */
export const followSignOut = (person: string, leave: () => void, refresh: () => Promise<unknown>) =>
  onUserDataCleared(person, async () => {
    // The browser's storage may have been cleared while the user is still signed in.
    const now = await fetchMe().catch(() => null)
    if (now?.id !== person && sessionUserId() === person) await forgetUser(leave)
    if (now) await refresh()
  })

/** Removes everything of a user from this page and this browser. Resolves when the storage is cleared. */
async function forgetUser(leave: () => void) {
  const person = sessionUserId()
  clearToken()
  const all = [...signOutTasks].map(({ forget }) => forget?.())
  if (person) all.push(clearUserData(person))
  leave()
  for (const { status, ...failed } of await Promise.allSettled(all))
    if (status === 'rejected') console.error('Failed to remove some data of the signed-out user:', failed)
}

/**
 * Ends the session of a user who signed out in this browser, if the server does not know it yet; retries until it does.
 * @returns the address where the hosted provider ends its own session, if there is one
 * @throws as `callIdentity`
 */
export function finishSignOut(): Promise<string | null> {
  attempt ??= withTabLock(tryToEnd).finally(() => {
    attempt = undefined
  })
  return attempt
}

const isDone = () => true
const isNotDone = () => false

async function tryToEnd() {
  clearTimeout(timer)
  if (!isSignOutPending()) return null
  try {
    // This ends the session even if the page is closed. The response may then arrive during the next session.
    const ending: SignOutRequest = { keepsCookie: true }
    const { redirectTo } = await callIdentity<SignOutAnswer>('POST', '/sign-out', ending, true)
    // This clears the cookie. The browser cancels it when the page is closed, and the next page repeats it.
    const clearing = callIdentity('POST', '/sign-out', {})
    if (redirectTo === null) await clearing
    // The address can't be asked for again. The page that the provider returns to clears the cookie.
    else if (!(await clearing.then(isDone, isNotDone))) return redirectTo
    setSignOutPending(false)
    failures = 0
    pendingWatchers.notify()
    return redirectTo
  } catch (error) {
    timer = setTimeout(retry, retryDelay(++failures, RETRY))
    window.addEventListener('online', retry, { once: true })
    throw error
  }
}

const retry = () => void finishSignOut().catch((error) => console.error('Sign-out failed:', error))

/** One tab at a time: a late response would clear the next user's cookie. */
async function withTabLock<T>(act: () => Promise<T>): Promise<T> {
  const locks = tabLocks()
  return locks ? locks.request('parley sign-out', act) : act()
}

/** Whether a sign-out has not reached the server yet. Retries while a component uses it. */
export const useSignOutPending = () => useSyncExternalStore(pendingWatchers.watch, isSignOutPending)

const pendingWatchers = createWatchers(() => {
  window.addEventListener('storage', pendingWatchers.notify)
  if (isSignOutPending()) retry()
  return () => window.removeEventListener('storage', pendingWatchers.notify)
})

/** Sends the pending changes of this page. Resolves to a sentence for each that is lost. */
async function finishAll(): Promise<string[]> {
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, FINISH_TIMEOUT_MS))
  const finish = ({ finish }: SignOutTask) =>
    Promise.race([finish?.(), timeout]).catch((error) => {
      console.error('Failed to send a pending change before signing out:', error)
      return undefined
    })
  return (await Promise.all([...signOutTasks].map(finish))).filter((lost) => lost !== undefined)
}

// Other tabs may also have pending changes. When asked, each replies at once that it has begun, and later that it is done.

interface TabMessage {
  kind: 'finish' | 'begun' | 'done'
  person: string | undefined
  /** What that tab loses, a sentence each. */
  lost?: string[]
}

const tabs = tabChannel('parley sign-out')
let tabsFinishing = 0
let lostInOtherTabs: string[] = []
let onTabReply = () => {}
if (tabs) {
  tabs.onmessage = async ({ data }: MessageEvent<TabMessage>) => {
    const { kind, person, lost = [] } = data
    if (person !== sessionUserId()) return
    if (kind === 'begun') tabsFinishing++
    if (kind === 'done') tabsFinishing--
    lostInOtherTabs.push(...lost)
    onTabReply()
    if (kind !== 'finish') return
    tabs.postMessage({ kind: 'begun', person })
    const unfinished = await finishAll()
    const unsaved = [...signOutTasks].flatMap(({ unsavedHere }) => unsavedHere?.() ?? [])
    tabs.postMessage({ kind: 'done', person, lost: [...unfinished, ...unsaved] })
  }
}

/** Sends the pending changes of all tabs. Resolves to a sentence for each that is lost. */
export async function finishInAllTabs(): Promise<string[]> {
  tabsFinishing = 0
  lostInOtherTabs = []
  tabs?.postMessage({ kind: 'finish', person: sessionUserId() })
  const others = new Promise<void>((resolve) => {
    const check = () => tabsFinishing === 0 && resolve()
    setTimeout(() => {
      onTabReply = check
      check()
    }, TAB_REPLY_TIMEOUT_MS)
    setTimeout(resolve, FINISH_TIMEOUT_MS)
  })
  const [lost] = await Promise.all([finishAll(), tabs && others])
  onTabReply = () => {}
  return [...new Set([...lost, ...lostInOtherTabs])]
}
