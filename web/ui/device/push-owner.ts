// Whose notifications this browser receives while Parley is closed. The page notes it in a cache, which the service worker can read and
// which is removed with everything else of a person: whatever arrives afterwards isn't shown.

export const PUSH_CACHE = 'parley push'
const OWNER_KEY = '/push/owner'
/** Browsers may have to reach their push service. */
const END_TIMEOUT_MS = 3000

/** Call when this browser has been subscribed for a person. */
export async function setPushOwner(person: string) {
  const cache = await globalThis.caches.open(PUSH_CACHE)
  await cache.put(OWNER_KEY, new Response(person))
}

/** Whose notifications may be shown; undefined if nobody's. @throws DOMException if the browser can't read its caches */
export async function pushOwner(): Promise<string | undefined> {
  const noted = await globalThis.caches.match(OWNER_KEY, { cacheName: PUSH_CACHE })
  return noted?.text()
}

/** Ends the subscription of this browser, and closes what was shown, when its person leaves. */
export async function endPush() {
  await globalThis.caches?.delete(PUSH_CACHE).catch(() => {})
  const registration = await globalThis.navigator?.serviceWorker?.getRegistration()
  if (!registration) return
  const timeout = new Promise<void>((resolve) => setTimeout(resolve, END_TIMEOUT_MS))
  await Promise.all([closeShown(registration), Promise.race([unsubscribe(registration), timeout])])
}

async function closeShown(registration: ServiceWorkerRegistration) {
  const shown = (await registration.getNotifications?.()) ?? []
  for (const notification of shown) notification.close()
}

/** Ends the browser's subscription, if it has one. */
export async function unsubscribe(registration: ServiceWorkerRegistration) {
  await (await registration.pushManager?.getSubscription())?.unsubscribe()
}
