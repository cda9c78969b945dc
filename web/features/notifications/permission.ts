import { useSyncExternalStore } from 'react'
import { sessionUserId } from '../../session/session.ts'
import { readItem, saveItem } from '../../ui/device/local-storage.ts'
import { createWatchers } from '../../ui/watchers.ts'

/** Whether this device shows notifications, and why not: turned off, blocked by the browser, or unavailable here. */
export type NotificationState = 'on' | 'off' | 'blocked' | 'insecure' | 'missing'

const CHOICE_KEY = 'parley.notifications'
/** Set once this device was offered notifications. */
const OFFERED_KEY = 'parley.notifications.offer'
/** Set when the user missed a notification on this device. */
const missedKey = () => `parley.offer.${sessionUserId()}`
/** The choice, for a device without storage. */
let chosen: string | undefined
let isOfferMade = false

export function notificationState(): NotificationState {
  // Browsers allow it on secure pages only, and some report it as denied elsewhere.
  if (!window.isSecureContext) return 'insecure'
  if (!('Notification' in window)) return 'missing'
  if (Notification.permission === 'denied') return 'blocked'
  return Notification.permission === 'granted' && (chosen ?? readItem(CHOICE_KEY)) !== 'off' ? 'on' : 'off'
}

/** Changes come from this page, another tab, or the browser's settings. */
const { watch, notify } = createWatchers(() => {
  window.addEventListener('storage', notify)
  window.addEventListener('focus', notify)
  return () => {
    window.removeEventListener('storage', notify)
    window.removeEventListener('focus', notify)
  }
})

/** Asks for the browser's permission. Call it only after a click. A dismissed prompt shows again the next time. */
export async function enableNotifications() {
  choose('on')
  await Notification.requestPermission()
  notify()
}

export function disableNotifications() {
  choose('off')
  notify()
}

/** Offers notifications the next time Parley opens, on a device that missed one and was never asked. */
export function requestOffer() {
  if (notificationState() === 'off' && !wasOffered()) saveItem(missedKey(), 'yes')
}

export const isOfferPending = () =>
  notificationState() === 'off' && !wasOffered() && readItem(missedKey()) !== undefined

const wasOffered = () => isOfferMade || readItem(OFFERED_KEY) !== undefined

export function markOffered() {
  isOfferMade = true
  saveItem(OFFERED_KEY, 'made')
  saveItem(missedKey())
}

function choose(choice: 'on' | 'off') {
  chosen = saveItem(CHOICE_KEY, choice) ? undefined : choice
  markOffered()
}

export const useNotificationState = () => useSyncExternalStore(watch, notificationState)
