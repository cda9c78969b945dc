import { useSyncExternalStore } from 'react'
import { allPending } from '../features/messages/outbox/pending-messages.ts'
import { createWatchers } from '../ui/watchers.ts'

const TIMEOUT_MS = 10_000
/** A page that is younger does not reload by itself again: of two servers each may serve another version. */
const MIN_AGE_MS = 60_000
const SCRIPT = /<script type="module"[^>]* src="(\/assets\/[^"]+)"/g

let isReplaced = false
/** Several parts may be missed at once. */
let isChecking = false
const { watch, notify } = createWatchers()

/** Whether the server has another version of this page than the one that runs, and the page could not be reloaded. */
export const useHasNewVersion = () => useSyncExternalStore(watch, () => isReplaced)

/**
 * Asks whether there is a new version, of which this page cannot load the parts any more. Then it is reloaded where that
 * takes nothing from anybody; else that is left to them.
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
    const answer = await fetch('/', { cache: 'no-store', signal: AbortSignal.timeout(TIMEOUT_MS) })
    // Something in between may answer with a page of its own.
    const scripts = [...(await answer.text()).matchAll(SCRIPT)].map(([, script]) => script)
    return scripts.some((script) => !document.querySelector(`script[src="${script}"]`))
  } catch {
    return false
  }
}

/** Whether something is typed, unsent or open. Who asks before the page is left by hand is asked here too. */
function isInUse() {
  const fields = [...document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('textarea, input')]
  const isTyped = fields.some(({ type, value }) => !['checkbox', 'radio', 'file'].includes(type) && value.trim() !== '')
  const isAsked = () => !window.dispatchEvent(new Event('beforeunload', { cancelable: true }))
  return isTyped || allPending().length > 0 || document.querySelector('[role$=dialog]') !== null || isAsked()
}

globalThis.addEventListener?.('vite:preloadError', () => void checkForNewVersion())
