import { getPush } from '#contract/push'
import { call } from '../../../api-client/api.ts'
import { pushSupport } from './push-support.ts'

/** The server's key if this browser could be notified while Parley is closed, and isn't. */
export async function loadKeyToOffer(): Promise<string | undefined> {
  if (pushSupport() !== 'supported' || !(await navigator.serviceWorker.getRegistration())) return undefined
  const { mode, publicKey, devices } = await call(getPush, {})
  return mode === 'off' || devices.some(({ isCurrent }) => isCurrent) ? undefined : publicKey
}
