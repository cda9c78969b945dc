import type { Me } from '#contract/users'
import { tryUserLanguage } from '../browser/language.ts'
import { isSignOutPending } from '../ui/device/local-storage.ts'
import { bearer, fetchMe, setSessionUser } from './session.ts'

/** How long the first render waits. Most of what a page shows first has arrived by then, so most pages render once. */
const FIRST_RENDER_TIMEOUT_MS = 250

/** The signed-in user as far as known: undefined while the request is pending. */
export interface Bootstrap {
  me: Me | null | undefined
  request: Promise<Me | null>
}

/**
 * Fetches the signed-in user, then calls `prefetch` for what they see first, before anything is rendered.
 * Components refetch whatever fails, and report it.
 */
export async function bootstrap(prefetch: (me: Me) => Promise<unknown>): Promise<Bootstrap> {
  const result: Bootstrap = { me: undefined, request: isSignOutPending() ? endFirst() : fetchMe() }
  const all = result.request.then(async (me) => {
    setSessionUser(me?.id)
    result.me = me
    if (!me) return
    await Promise.all([tryUserLanguage(me.language), bearer().then(() => prefetch(me))])
  })
  const timeout = new Promise((resolve) => setTimeout(resolve, FIRST_RENDER_TIMEOUT_MS))
  await Promise.race([all.catch(() => {}), timeout])
  return result
}

/** A user signed out while offline: their session ends before anything is shown. */
async function endFirst() {
  try {
    const { finishSignOut } = await import('./sign-out.ts')
    await finishSignOut()
  } catch (error) {
    console.error('Sign-out failed:', error)
  }
  return null
}
