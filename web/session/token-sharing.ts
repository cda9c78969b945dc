import { tabChannel, tabLocks } from '../ui/device/local-storage.ts'

/** How long a tab holds the lock after it shared a token, so that the others receive it first. */
const SHARE_DELAY_MS = 50
const LOCK_TIMEOUT_MS = 20_000

export interface Token {
  text: string
  userId: string | undefined
  /** Unix time in milliseconds, by the server's clock. */
  expiresAt: number
  /** The server's time when the token was shared: this device's clock may have been set since. */
  toldAt?: number
}

type Listener = (token: Token) => void

let channel: ReturnType<typeof tabChannel>

/** Tabs share tokens in memory only. Does nothing in a browser without locks or channels. */
export function onSharedToken(listener: Listener) {
  if (channel || !hasTabLocks()) return
  channel = tabChannel('parley-token')
  if (channel) channel.onmessage = ({ data }: MessageEvent<Token>) => listener(data)
}

export const shareToken = (token: Token) => channel?.postMessage(token)

/** Tabs renew one after the other, so that the later ones use the token of the first. */
export async function withTokenLock<T>(act: () => Promise<T>): Promise<T> {
  const locks = hasTabLocks() ? tabLocks() : undefined
  if (!locks) return act()
  let acted: Promise<T> | undefined
  await new Promise<void>((resolve, reject) => {
    const onLock = async () => {
      acted = act()
      resolve()
      const hasSucceeded = await acted.then(
        () => true,
        () => false,
      )
      if (hasSucceeded) await new Promise((resolve) => setTimeout(resolve, SHARE_DELAY_MS))
    }
    locks.request('parley-token', { signal: AbortSignal.timeout(LOCK_TIMEOUT_MS) }, onLock).catch(reject)
  }).catch(() => {})
  return acted ?? act()
}

/** False on plain http other than localhost, and in Node. */
const hasTabLocks = () => globalThis.isSecureContext === true && 'BroadcastChannel' in globalThis
