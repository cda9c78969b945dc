const KEY = 'parley.notified'
/** How many are remembered. */
const MANY = 100

/**
 * Whether this tab is the first to claim a call: of all tabs one tells. What was claimed is written down for all of them;
 * a lock makes looking and writing one act, and where there is none the notification's tag makes two of them one.
 */
export async function claim(id: string): Promise<boolean> {
  const isFirst = () => {
    const claimed = read()
    if (claimed.includes(id)) return false
    localStorage.setItem(KEY, JSON.stringify([id, ...claimed].slice(0, MANY)))
    return true
  }
  return navigator.locks ? navigator.locks.request(KEY, isFirst) : isFirst()
}

function read(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(kept) ? kept : []
  } catch {
    // Written by something else: it is written anew.
    return []
  }
}
