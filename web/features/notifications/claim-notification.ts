import { sessionUserId } from '../../session/session.ts'
import { readJson, saveItem, tabLocks } from '../../ui/device/local-storage.ts'

/** The prefix of the storage key, and the name of the lock. */
const KEY_PREFIX = 'parley.notified'
const MAX_CLAIMS = 100

/**
 * Whether this tab is the first to claim a notification: only one tab shows it. Claims are stored for all tabs under a
 * lock; without locks, the notification's tag merges duplicates.
 */
export async function claimNotification(id: string): Promise<boolean> {
  const key = `${KEY_PREFIX}.${sessionUserId()}`
  const isFirst = () => {
    const stored = readJson(key)
    const claimed: unknown[] = Array.isArray(stored) ? stored : []
    if (claimed.includes(id)) return false
    saveItem(key, JSON.stringify([id, ...claimed].slice(0, MAX_CLAIMS)))
    return true
  }
  return (await tabLocks()?.request(KEY_PREFIX, isFirst)) ?? isFirst()
}
