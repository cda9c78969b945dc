import { v4 as uuid } from 'uuid'
import { tabLocks } from '../../../ui/device/local-storage.ts'
import { endLease, isStoreThere, takeLease } from './outbox-db.ts'

// One tab at a time sends from a box, one message per turn. A turn belongs to nobody for longer: whichever tab has
// something to send takes the next, so none has to be made the sender, and none is missed when it is closed.
//
// A tab can be frozen in its turn. Then the others take it away. Should the frozen one wake and go on, no harm is done:
// a message stands once whoever sends it, and as each tab sends the next one only after an answer to the one before,
// their order holds also where two send the same ones.

/** Milliseconds after which a turn is taken away: longer than a call waits for its answer. */
const LONGEST = 20_000
/** Milliseconds between two looks at a lease. */
const LOOK = 200

const holder = uuid()

/** Does something in a turn of its own among all tabs. Answers undefined where the turn was taken away. */
export async function inTurn<T>(name: string, act: () => Promise<T>): Promise<T | undefined> {
  // Nothing is shared between tabs.
  if (!isStoreThere()) return act()
  const locks = tabLocks()
  return locks ? withLock(locks, name, act) : withLease(name, act)
}

async function withLock<T>(
  locks: LockManager,
  name: string,
  act: () => Promise<T>,
  options: LockOptions = { signal: AbortSignal.timeout(LONGEST) },
): Promise<T | undefined> {
  try {
    return await locks.request(name, options, act)
  } catch (error) {
    const { name: kind } = error as Error
    if (kind === 'AbortError') return undefined
    if (kind === 'TimeoutError') return withLock(locks, name, act, { steal: true })
    console.error('The tabs cannot take turns:', error)
    return act()
  }
}

/** On plain http off localhost browsers have no locks. */
async function withLease<T>(name: string, act: () => Promise<T>): Promise<T> {
  while (!(await takeLease(name, holder, LONGEST))) await new Promise((resolve) => setTimeout(resolve, LOOK))
  try {
    return await act()
  } finally {
    await endLease(name, holder)
  }
}
