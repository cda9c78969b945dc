import { sessionUserId } from '../../session/session.ts'
import { readJson, saveItem, tabLocks } from '../../ui/device/local-storage.ts'

const NAME = 'parley.notified'
/** How many are remembered. */
const MAX_REMEMBERED = 100

/**
 * Whether this tab is the first to claim a call: of all tabs one tells. What was claimed is written down for all of them;
 * a lock makes looking and writing one act, and where there is none the notification's tag makes two of them one.
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
