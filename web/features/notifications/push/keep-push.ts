import { readPushMemory } from './push-memory.ts'
import { onWorkerMessage } from './worker-messages.ts'

/**
 * Keeps this browser subscribed if its person turned that on here; otherwise it costs nothing, not even a request.
 * @param onOpened called when a pushed notification may have been opened
 */
export function keepPush(me: string, onOpened: () => void) {
  const isOn = () => readPushMemory(me) !== undefined
  const mend = () => {
    if (!isOn()) return
    import('./push-device.ts')
      .then(({ mendPush }) => mendPush(me))
      .catch((error) => console.warn('Failed to renew the push subscription:', error))
  }
  mend()
  if (isOn()) onOpened()
  onWorkerMessage(({ kind }) => {
    if (kind === 'push: changed') mend()
    if (kind === 'push: open') onOpened()
    return undefined
  })
}
