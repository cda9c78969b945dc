import { useSyncExternalStore } from 'react'
import { sessionUserId } from '../../session/session.ts'
import { readItem, saveItem } from '../../ui/device/local-storage.ts'
import { createWatchers } from '../../ui/watchers.ts'

/** Whether this device shows notifications, and why not: turned off, blocked by the browser, or unavailable here. */
export type NotificationState = 'on' | 'off' | 'blocked' | 'insecure' | 'missing'

const KEY = 'parley.notifications'
/** The key that says whether this device was offered notifications. */
const OFFER = 'parley.notifications.offer'
/** The key that says that a user missed a notification here. */
const wanted = () => `parley.offer.${sessionUserId()}`
/** The choice, for a device without storage. */
let chosen: string | undefined
let isOfferMade = false

export function notificationState(): NotificationState {
  // Browsers allow it on secure pages only, and some report it as denied elsewhere.
  if (!window.isSecureContext) return 'insecure'
  if (!('Notification' in window)) return 'missing'
  if (Notification.permission === 'denied') return 'blocked'
  return Notification.permission === 'granted' && (chosen ?? readItem(KEY)) !== 'off' ? 'on' : 'off'
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

/** Asks the browser; call it after a click only. A dismissed question is asked again another time. */
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
  if (notificationState() === 'off' && !wasOffered()) saveItem(wanted(), 'yes')
}

export const isOfferPending = () => notificationState() === 'off' && !wasOffered() && readItem(wanted()) !== undefined

const wasOffered = () => isOfferMade || readItem(OFFER) !== undefined

export function markOffered() {
  isOfferMade = true
  saveItem(OFFER, 'made')
  saveItem(wanted())
}

function choose(choice: 'on' | 'off') {
  chosen = saveItem(KEY, choice) ? undefined : choice
  markOffered()
}

export const useNotificationState = () => useSyncExternalStore(watch, notificationState)
