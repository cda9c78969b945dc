import { registerServiceWorker } from '../../../browser/service-worker.ts'
import { unsubscribe } from '../../../ui/device/push-owner.ts'

/** The browser stores the app before its worker is ready. */
const WORKER_TIMEOUT_MS = 30_000
const SUBSCRIBE_TIMEOUT_MS = 20_000

/** The browser's subscription; null if it has none. */
export async function browserSubscription(): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker?.getRegistration()
  return (await registration?.pushManager?.getSubscription()) ?? null
}

/**
 * Subscribes the browser at its vendor's push service. The permission for notifications must have been granted.
 * @param isFresh whether a subscription that it has is of no use any more
 */
export async function subscribeBrowser(publicKey: string, isFresh: boolean): Promise<PushSubscription> {
  const registration = await workerRegistration()
  const known = await registration.pushManager.getSubscription()
  // A browser refuses to subscribe with another key.
  if (known && (isFresh || !hasKey(known, publicKey))) await withinTime(unsubscribe(registration))
  const subscribing = registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: bytesOf(publicKey),
  })
  return withinTime(subscribing)
}

/** Browsers may wait for their push service for ever. @throws DOMException an AbortError */
function withinTime<T>(work: Promise<T>): Promise<T> {
  const timeout = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new DOMException('The push service does not answer', 'AbortError')), SUBSCRIBE_TIMEOUT_MS)
  })
  return Promise.race([work, timeout])
}

async function workerRegistration() {
  await registerServiceWorker()
  const ready = (await navigator.serviceWorker.getRegistration()) && navigator.serviceWorker.ready
  const timeout = new Promise<undefined>((resolve) => setTimeout(resolve, WORKER_TIMEOUT_MS, undefined))
  const registration = await Promise.race([ready, timeout])
  if (!registration) throw new Error('There is no service worker')
  return registration
}

/** Whether a subscription was made with this key of the server. Browsers that don't say so are believed. */
export function hasKey({ options }: PushSubscription, publicKey: string): boolean {
  const key = options?.applicationServerKey
  return !key || base64url(new Uint8Array(key)) === publicKey
}

const base64url = (bytes: Uint8Array) =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '')

const bytesOf = (text: string) =>
  Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (character) => character.charCodeAt(0))
