import { tabChannel, tabLocks } from '../ui/device/local-storage.ts'

/** Milliseconds in which the other tabs hear of a new token before one of them may ask for its own. */
const SHARE_DELAY_MS = 50
/** Milliseconds after which a tab that keeps its turn is not waited for. */
const LOCK_TIMEOUT_MS = 20_000

export interface Token {
  text: string
  /** Whose it is. */
  userId: string | undefined
  /** Milliseconds since 1970, by the server's clock. */
  expiresAt: number
  /** What time it was by the server's clock when another tab was told: this device's clock may have been set since. */
  toldAt?: number
}

type Listener = (token: Token) => void

let channel: ReturnType<typeof tabChannel>

/** Tabs tell each other of tokens, in memory only; does nothing where a browser cannot. */
export function onSharedToken(hear: Listener) {
  if (channel || !canTakeTurns()) return
  channel = tabChannel('parley-token')
  if (channel) channel.onmessage = ({ data }: MessageEvent<Token>) => hear(data)
}

export const shareToken = (token: Token) => channel?.postMessage(token)

/** Tabs that renew at the same moment do it one after the other, so that the later ones hear what the first one got. */
export async function withTokenLock<T>(act: () => Promise<T>): Promise<T> {
  const locks = canTakeTurns() ? tabLocks() : undefined
  if (!locks) return act()
  let acted: Promise<T> | undefined
  await new Promise<void>((go, fail) => {
    const turn = async () => {
      acted = act()
      go()
      const isDone = await acted.then(
        () => true,
        () => false,
      )
      if (isDone) await new Promise((resolve) => setTimeout(resolve, SHARE_DELAY_MS))
    }
    locks.request('parley-token', { signal: AbortSignal.timeout(LOCK_TIMEOUT_MS) }, turn).catch(fail)
  }).catch(() => {})
  return acted ?? act()
}

/** Not on plain http off localhost; nor where there are no tabs. */
const canTakeTurns = () => globalThis.isSecureContext === true && 'BroadcastChannel' in globalThis
