import type { Me } from '#contract/users'
import { tryUserLanguage } from '../browser/language.ts'
import { isSignOutPending } from '../ui/device/local-storage.ts'
import { bearer, callIdentity, fetchMe, setSessionUser } from './session.ts'

/** How long the first render waits. Most of what a page shows first has arrived by then, so most pages render once. */
const FIRST_RENDER_TIMEOUT_MS = 250
/** How much longer it waits for the device cache while the server has not answered. A busy device reads slowly. */
const RESTORE_TIMEOUT_MS = 3000

/** The signed-in user; undefined while unknown. */
export interface Bootstrap {
  me: Me | null | undefined
  /** Whether the user is from the server, not from the device cache. */
  isAnswered: boolean
  request: Promise<Me | null>
}

interface FirstPage {
  /** Reads the page and its user from the device cache; `fill` fills the query cache. */
  restore: () => Promise<{ me: Me; fill: () => void } | undefined>
  /** Fetches it instead. */
  prefetch: (me: Me) => Promise<unknown>
}

/**
 * Asks who is signed in, and resolves as soon as there is something to render: from the device cache, or else from
 * `prefetch`. Components refetch whatever fails, and report it.
 */
export async function bootstrap({ restore, prefetch }: FirstPage): Promise<Bootstrap> {
  const isEnding = isSignOutPending()
  const result: Bootstrap = { me: undefined, isAnswered: false, request: isEnding ? endFirst() : fetchMe() }
  let isDrawn = false
  const restored = (isEnding ? Promise.resolve(undefined) : restore()).then((kept) => {
    // Components may have fetched something newer meanwhile.
    if (!kept || isDrawn || (result.isAnswered && result.me?.id !== kept.me.id)) return false
    if (!result.isAnswered) {
      setSessionUser(kept.me.id, kept.me)
      result.me = kept.me
    }
    kept.fill()
    return true
  })
  const fetched = result.request.then(async (me) => {
    // A user is on screen already; `IdentityProvider` handles the answer.
    if (result.me) return
    Object.assign(result, { me, isAnswered: true })
    setSessionUser(me?.id, me)
    if (!me) return
    const data = restored.then((isRestored) => isRestored || me.needsSecondFactor || bearer().then(() => prefetch(me)))
    await Promise.all([tryUserLanguage(me.language), data])
  })
  const drawable = restored.then(async (isRestored) => {
    if (!isRestored) await fetched
  })
  const isRestored = restored.catch(() => false)
  await Promise.race([drawable.catch(() => {}), delay(FIRST_RENDER_TIMEOUT_MS)])
  await Promise.race([isRestored, result.request.catch(() => isRestored), delay(RESTORE_TIMEOUT_MS)])
  isDrawn = true
  return result
}

const delay = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A user signed out while offline: their session ends before anything is shown. */
async function endFirst() {
  // Uses up the response that `index.html` preloads. It is about the old session, but the next sign-in would get it.
  callIdentity('GET', '/get-session').catch(() => {})
  try {
    const { finishSignOut } = await import('./sign-out.ts')
    await finishSignOut()
  } catch (error) {
    console.error('Sign-out failed:', error)
  }
  return null
}
