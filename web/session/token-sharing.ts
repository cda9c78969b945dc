import { tabChannel, tabLocks } from '../ui/device/local-storage.ts'

/** How long a tab that waited for the lock then waits for the previous tab's token, which may arrive later. */
const SHARE_TIMEOUT_MS = 2000
const LOCK = 'parley-token'
const LOCK_TIMEOUT_MS = 20_000

export interface Token {
  text: string
  userId: string | undefined
  /** Unix time in milliseconds, by the server's clock. */
  expiresAt: number
  /** The server's time when the token was shared; this device's clock may have been set since. */
  toldAt?: number
}

type Listener = (token: Token) => void

let channel: ReturnType<typeof tabChannel>
let onToken = () => {}

/** Tabs share tokens in memory only. Does nothing in a browser without locks or channels. */
export function onSharedToken(listener: Listener) {
  if (channel || !hasTabLocks()) return
  channel = tabChannel('parley-token')
  if (!channel) return
  channel.onmessage = ({ data }: MessageEvent<Token>) => {
    listener(data)
    onToken()
  }
}

export const shareToken = (token: Token) => channel?.postMessage(token)

/** Tabs renew one after the other, so that the later ones use the token of the first. */
export async function withTokenLock<T>(act: () => Promise<T>): Promise<T> {
  const locks = hasTabLocks() ? tabLocks() : undefined
  if (!locks) return act()
  let acted: Promise<T> | undefined
  const run = () => {
    acted = act()
    return acted
  }
  const shared = new Promise<void>((resolve) => {
    onToken = resolve
  })
  const runAfterOther = async () => {
    await Promise.race([shared, new Promise((resolve) => setTimeout(resolve, SHARE_TIMEOUT_MS))])
    return run()
  }
  try {
    await locks.request(LOCK, { ifAvailable: true }, (lock) => lock && run())
    if (!acted) await locks.request(LOCK, { signal: AbortSignal.timeout(LOCK_TIMEOUT_MS) }, runAfterOther)
  } catch {
    // Either `acted` has failed, or there was no lock in time.
  }
  return acted ?? act()
}

/** False on plain http other than localhost, and in Node. */
const hasTabLocks = () => globalThis.isSecureContext === true && 'BroadcastChannel' in globalThis
