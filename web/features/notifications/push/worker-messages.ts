import { type PushMessage, readPushMessage } from '../../../ui/device/push-messages.ts'

/**
 * Calls the listener with what the service worker says of pushed notifications. It returns the answer; undefined if that is for others
 * to give. Returns a function that unsubscribes.
 */
export function onWorkerMessage(listener: (message: PushMessage) => boolean | undefined) {
  const { serviceWorker } = globalThis.navigator ?? {}
  const onMessage = ({ data, ports }: MessageEvent) => {
    const message = readPushMessage(data)
    const answer = message && listener(message)
    if (answer !== undefined) ports[0]?.postMessage(answer)
  }
  serviceWorker?.addEventListener('message', onMessage)
  return () => serviceWorker?.removeEventListener('message', onMessage)
}
