import type { Me } from '#contract/users'
import { isSignOutPending } from '../ui/device/local-storage.ts'
import { bearer, fetchMe, setSessionUser } from './session.ts'

/** Milliseconds for which nothing is drawn: most of what a page shows first is there by then, and is drawn once. */
const FIRST_RENDER_TIMEOUT_MS = 250

/** Who is here, as far as it is known. */
export interface Bootstrap {
  me: Me | null | undefined
  /** What is still asked where it is not known. */
  asked: Promise<Me | null>
}

/**
 * Asks who is here, and with `look` for what they will see first: at once, while nothing is drawn yet. What fails is asked
 * again, and told, by those who need it.
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

/** Somebody signed out here without a network: their session ends before anything is shown. */
async function endFirst() {
  try {
    const { finishSignOut } = await import('./sign-out.ts')
    await finishSignOut()
  } catch (error) {
    console.error('Sign-out failed:', error)
  }
  return null
}
