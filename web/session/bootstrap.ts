import type { Me } from '#contract/users'
import { isSignOutPending } from '../ui/device/local-storage.ts'
import { bearer, fetchMe, setSessionUser } from './session.ts'

/** How long the first render waits. Most of what a page shows first has arrived by then, so most pages render once. */
const FIRST_RENDER_TIMEOUT_MS = 250

/** The signed-in user as far as known: undefined while the request is pending. */
export interface Bootstrap {
  me: Me | null | undefined
  /** The pending request. */
  asked: Promise<Me | null>
}

/**
 * Fetches the signed-in user, then calls `look` for what they see first, before anything is rendered. Components
 * refetch whatever fails, and report it.
 */
export async function bootstrap(look: (me: Me) => Promise<unknown>): Promise<Bootstrap> {
  const result: Bootstrap = { me: undefined, asked: isSignOutPending() ? endFirst() : fetchMe() }
  const all = result.asked.then(async (me) => {
    setSessionUser(me?.id)
    result.me = me
    if (!me) return
    await bearer()
    await look(me)
  })
  const late = new Promise((resolve) => setTimeout(resolve, FIRST_RENDER_TIMEOUT_MS))
  await Promise.race([all.catch(() => {}), late])
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
