import { readPushMemory } from './push-memory.ts'
import { onWorkerMessage } from './worker-messages.ts'

/** Keeps this browser subscribed if its person turned that on here; otherwise it costs nothing, not even a request. */
export function keepPush(me: string) {
  const mend = () => {
    if (!readPushMemory(me)) return
    import('./push-device.ts')
      .then(({ mendPush }) => mendPush(me))
      .catch((error) => console.warn('Failed to renew the push subscription:', error))
  }
  mend()
  onWorkerMessage(({ kind }) => {
    if (kind === 'push: changed') mend()
    return undefined
  })
}
