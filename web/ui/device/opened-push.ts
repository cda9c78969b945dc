// The notification that a person opened, noted by the service worker for the page that opens: it says why it appeared.
import { PUSH_CACHE } from './push-owner.ts'

const OPENED_KEY = '/push/opened'
/** A page that opens later has nothing to do with it. */
const MAX_AGE_MS = 60_000

export interface OpenedPush {
  to: string
  rule: string
  reason: string
  message: { id: string; channelId: string; threadId: string | null }
}

/** @param data of a notification: those that say no reason are not noted */
export async function noteOpened(data: Partial<OpenedPush> | null | undefined) {
  const { to, rule, reason, message } = data ?? {}
  if (!to || !rule || !reason || !message || !(await globalThis.caches.has(PUSH_CACHE))) return
  const cache = await globalThis.caches.open(PUSH_CACHE)
  await cache.put(OPENED_KEY, Response.json({ to, rule, reason, message, at: Date.now() }))
}

/** The notification that a person opened just now, once. */
export async function takeOpened(person: string): Promise<OpenedPush | undefined> {
  const noted = await globalThis.caches?.match(OPENED_KEY, { cacheName: PUSH_CACHE })
  if (!noted) return undefined
  const { at, ...opened } = (await noted.json()) as OpenedPush & { at: number }
  if (opened.to !== person) return undefined
  // Another tab may have taken it.
  const isTaken = !(await (await globalThis.caches.open(PUSH_CACHE)).delete(OPENED_KEY))
  return !isTaken && Math.abs(Date.now() - at) < MAX_AGE_MS ? opened : undefined
}
