import { sessionUserId } from '../../session/session.ts'
import { readJson, saveItem, tabLocks } from '../../ui/device/local-storage.ts'

const NAME = 'parley.notified'
const MAX_REMEMBERED = 100

/**
 * Whether this tab is the first to claim a notification: only one tab shows it. Claims are stored for all tabs under a
 * lock; without locks, the notification's tag merges duplicates.
 */
export async function claimNotification(id: string): Promise<boolean> {
  const key = `${NAME}.${sessionUserId()}`
  const isFirst = () => {
    const kept = readJson(key)
    const claimed: unknown[] = Array.isArray(kept) ? kept : []
    if (claimed.includes(id)) return false
    saveItem(key, JSON.stringify([id, ...claimed].slice(0, MAX_REMEMBERED)))
    return true
  }
  return (await tabLocks()?.request(NAME, isFirst)) ?? isFirst()
}
