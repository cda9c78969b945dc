import type { Me } from '#contract/users'
import { isEnding } from '../ui/device/local-storage.ts'
import { bearer, readMe, speakFor } from './session.ts'

/** Milliseconds for which nothing is drawn: most of what a page shows first is there by then, and is drawn once. */
const PATIENCE = 250

/** Who is here, as far as it is known. */
export interface Beginning {
  me: Me | null | undefined
  /** What is still asked where it is not known. */
  asked: Promise<Me | null>
}

/**
 * Asks who is here, and with `look` for what they will see first: at once, while nothing is drawn yet. What fails is asked
 * again, and told, by those who need it.
 */
export async function begin(look: (me: Me) => Promise<unknown>): Promise<Beginning> {
  const beginning: Beginning = { me: undefined, asked: isEnding() ? endFirst() : readMe() }
  const all = beginning.asked.then(async (me) => {
    speakFor(me?.id)
    beginning.me = me
    if (!me) return
    await bearer()
    await look(me)
  })
  const late = new Promise((resolve) => setTimeout(resolve, PATIENCE))
  await Promise.race([all.catch(() => {}), late])
  return beginning
}

/** Somebody signed out here without a network: their session ends before anything is shown. */
async function endFirst() {
  try {
    const { endSessionLeft } = await import('./sign-out.ts')
    await endSessionLeft()
  } catch (error) {
    console.error('Sign-out failed:', error)
  }
  return null
}
