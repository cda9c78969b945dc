import { useSyncExternalStore } from 'react'
import type { SignOutAnswer } from '#contract/identity'
import { clearUserData, onUserDataCleared } from '../ui/device/clear-storage.ts'
import { isSignOutPending, setSignOutPending, tabChannel, tabLocks } from '../ui/device/local-storage.ts'
import { createWatchers } from '../ui/watchers.ts'
import { callIdentity, clearToken, fetchMe, sessionUserId } from './session.ts'
import { type SignOutTask, signOutTasks } from './sign-out-tasks.ts'

/** Milliseconds between two tries to end a session, the first and the last. */
const MIN_RETRY_DELAY_MS = 2000
const MAX_RETRY_DELAY_MS = 60_000
/** Milliseconds that signing out waits for what is still to be sent; and in which other tabs say that they have some. */
const FINISH_TIMEOUT_MS = 4000
const TAB_REPLY_TIMEOUT_MS = 50

let delay = MIN_RETRY_DELAY_MS
let timer: ReturnType<typeof setTimeout> | undefined
let attempt: Promise<string | null> | undefined

/**
 * Signs out: this page and browser forget at once, and the session ends as soon as the server can be told, whatever
 * happens to the page until then. `leave` shows that nobody is here any more.
 */
export async function signOut(leave: () => void) {
  setSignOutPending(true)
  await forgetUser(leave)
  // It may not have had room for it before.
  setSignOutPending(true)
  try {
    const providersEnd = await finishSignOut()
    if (providersEnd) window.location.assign(providersEnd)
  } catch (error) {
    console.error('Sign-out failed:', error)
  }
}

/** Leaves this tab when its person signs out in another one; answers how to stop listening. */
export const followSignOut = (person: string, leave: () => void, refresh: () => Promise<unknown>) =>
  onUserDataCleared(person, async () => {
    // Somebody may have taken away what this browser keeps, and be still signed in.
    const now = await fetchMe().catch(() => null)
    if (now?.id !== person && sessionUserId() === person) await forgetUser(leave)
    if (now) await refresh()
  })

/** Nothing that a person had here stays, in this page or in the browser. Resolves when the browser has dropped it. */
async function forgetUser(leave: () => void) {
  const person = sessionUserId()
  clearToken()
  const all = [...signOutTasks].map(({ forget }) => forget?.())
  if (person) all.push(clearUserData(person))
  leave()
  for (const { status, ...failed } of await Promise.allSettled(all))
    if (status === 'rejected') console.error('Something of whoever signed out may still be here:', failed)
}

/**
 * Ends the session of whoever signed out in this browser, if the server does not know it yet; tried again by itself until
 * it does. Answers where the hosted provider ends its own session, if it does.
 * @throws as `identity`
 */
export function finishSignOut(): Promise<string | null> {
  attempt ??= withTabLock(tryToEnd).finally(() => {
    attempt = undefined
  })
  return attempt
}

async function tryToEnd() {
  clearTimeout(timer)
  if (!isSignOutPending()) return null
  try {
    const { redirectTo } = await callIdentity<SignOutAnswer>('POST', '/sign-out', {})
    setSignOutPending(false)
    delay = MIN_RETRY_DELAY_MS
    pendingWatchers.notify()
    return redirectTo
  } catch (error) {
    timer = setTimeout(retry, delay)
    delay = Math.min(delay * 2, MAX_RETRY_DELAY_MS)
    window.addEventListener('online', retry, { once: true })
    throw error
  }
}

const retry = () => void finishSignOut().catch((error) => console.error('Sign-out failed:', error))

/** One tab at a time: an answer that comes late would take the next person's cookie away. */
async function withTabLock<T>(act: () => Promise<T>): Promise<T> {
  const locks = tabLocks()
  return locks ? locks.request('parley sign-out', act) : act()
}

/** Whether somebody signed out here and the server does not know yet; it is told as long as this is looked at. */
export const useSignOutPending = () => useSyncExternalStore(pendingWatchers.watch, isSignOutPending)

const pendingWatchers = createWatchers(() => {
  window.addEventListener('storage', pendingWatchers.notify)
  if (isSignOutPending()) retry()
  return () => window.removeEventListener('storage', pendingWatchers.notify)
})

/** Sends what this page has still to send; answers what is lost, a sentence each. */
async function finishAll(): Promise<string[]> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, FINISH_TIMEOUT_MS))
  const finish = ({ finish }: SignOutTask) =>
    Promise.race([finish?.(), late]).catch((error) => {
      console.error('Something could not be finished before signing out:', error)
      return undefined
    })
  return (await Promise.all([...signOutTasks].map(finish))).filter((lost) => lost !== undefined)
}

// Other tabs may have something to finish too: asked for it, each says at once that it begins, and later that it is done.

interface TabMessage {
  kind: 'finish' | 'begun' | 'done'
  person: string | undefined
  /** What of that tab is lost, a sentence each. */
  lost?: string[]
}

const tabs = tabChannel('parley sign-out')
let tabsFinishing = 0
let lostElsewhere: string[] = []
let onTabReply = () => {}
if (tabs) {
  tabs.onmessage = async ({ data }: MessageEvent<TabMessage>) => {
    const { kind, person, lost = [] } = data
    if (person !== sessionUserId()) return
    if (kind === 'begun') tabsFinishing++
    if (kind === 'done') tabsFinishing--
    lostElsewhere.push(...lost)
    onTabReply()
    if (kind !== 'finish') return
    tabs.postMessage({ kind: 'begun', person })
    const unfinished = await finishAll()
    const held = [...signOutTasks].flatMap(({ unsavedHere }) => unsavedHere?.() ?? [])
    tabs.postMessage({ kind: 'done', person, lost: [...unfinished, ...held] })
  }
}

/** Sends what is still to be sent, in all tabs; answers what is lost, a sentence each. */
export async function finishInAllTabs(): Promise<string[]> {
  tabsFinishing = 0
  lostElsewhere = []
  tabs?.postMessage({ kind: 'finish', person: sessionUserId() })
  const others = new Promise<void>((resolve) => {
    const look = () => tabsFinishing === 0 && resolve()
    setTimeout(() => {
      onTabReply = look
      look()
    }, TAB_REPLY_TIMEOUT_MS)
    setTimeout(resolve, FINISH_TIMEOUT_MS)
  })
  const [lost] = await Promise.all([finishAll(), tabs && others])
  onTabReply = () => {}
  return [...new Set([...lost, ...lostElsewhere])]
}
