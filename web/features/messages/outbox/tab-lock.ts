import { v4 as uuid } from 'uuid'
import { tabLocks } from '../../../ui/device/local-storage.ts'
import { endLease, isDatabaseAvailable, takeLease } from './outbox-db.ts'

// One tab at a time sends from a conversation, and it holds the lock for one message only. So no tab has to be elected,
// and it does not matter which one is closed.
//
// If a tab freezes while it holds the lock, the others steal it. When the frozen tab wakes up and continues, it does no
// harm: the server stores each message once, and each tab waits for the response before it sends the next message, so the
// order stays right even if two tabs send the same messages.

/** After this the lock is stolen; longer than the timeout of a request. */
const LOCK_TIMEOUT_MS = 20_000
const LEASE_POLL_INTERVAL_MS = 200

const holder = uuid()

/** Runs a function that no other tab runs at the same time. Resolves to undefined if the lock was stolen. */
export async function withTabLock<T>(name: string, act: () => Promise<T>): Promise<T | undefined> {
  // Tabs that share no database need no lock.
  if (!isDatabaseAvailable()) return act()
  const locks = tabLocks()
  return locks ? withLock(locks, name, act) : withLease(name, act)
}

async function withLock<T>(
  locks: LockManager,
  name: string,
  act: () => Promise<T>,
  options: LockOptions = { signal: AbortSignal.timeout(LOCK_TIMEOUT_MS) },
): Promise<T | undefined> {
  try {
    return await locks.request(name, options, act)
  } catch (error) {
    const { name: kind } = error as Error
    if (kind === 'AbortError') return undefined
    if (kind === 'TimeoutError') return withLock(locks, name, act, { steal: true })
    console.error('Failed to use Web Locks:', error)
    return act()
  }
}

/** Browsers have no Web Locks on plain http, except on localhost. */
async function withLease<T>(name: string, act: () => Promise<T>): Promise<T> {
  while (!(await takeLease(name, holder, LOCK_TIMEOUT_MS)))
    await new Promise((resolve) => setTimeout(resolve, LEASE_POLL_INTERVAL_MS))
  try {
    return await act()
  } finally {
    await endLease(name, holder)
  }
}
