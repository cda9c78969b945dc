import { useSyncExternalStore } from 'react'
import { allPending } from '../features/messages/outbox/outbox.ts'
import { createWatchers } from '../ui/watchers.ts'

/** Shorter than the service worker waits for a page, so that a slow server doesn't cause reloads of its stored page. */
const TIMEOUT_MS = 4000
/** A younger page does not reload automatically: behind a load balancer two servers may have different versions. */
const MIN_AGE_MS = 60_000
const SCRIPT = /<script type="module"[^>]* src="(\/assets\/[^"]+)"/g

let isReplaced = false
let isChecking = false
const { watch, notify } = createWatchers()

/** Whether the server has a newer version, and this page could not be reloaded. */
export const useHasNewVersion = () => useSyncExternalStore(watch, () => isReplaced)

/**
 * Checks for a new version, after which this page can no longer load its lazy parts. Reloads if the user loses nothing,
 * otherwise offers to reload.
 */
export async function checkForNewVersion() {
  if (isReplaced || isChecking) return
  isChecking = true
  const isNew = await hasNewVersion()
  isChecking = false
  if (!isNew) return
  if (performance.now() > MIN_AGE_MS && !isInUse()) return location.reload()
  isReplaced = true
  notify()
}

async function hasNewVersion() {
  try {
    const response = await fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })
    // A proxy may answer with an HTML page.
    const scripts = [...(await response.text()).matchAll(SCRIPT)].map(([, script]) => script)
    return scripts.some((script) => !document.querySelector(`script[src="${script}"]`))
  } catch {
    return false
  }
}

/** Whether something is typed, unsent or open. Listeners of 'beforeunload' may prevent a reload as well. */
function isInUse() {
  const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('textarea, input')]
  const isTyped = fields.some(({ type, value }) => !['checkbox', 'radio', 'file'].includes(type) && value.trim() !== '')
  const isUnloadPrevented = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  return isTyped || allPending().length > 0 || document.querySelector('[role$=dialog]') !== null || isUnloadPrevented()
}

globalThis.addEventListener?.('vite:preloadError', () => void checkForNewVersion())
