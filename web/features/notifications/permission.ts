import { useSyncExternalStore } from 'react'
import { sessionUserId } from '../../session/session.ts'
import { readItem, saveItem } from '../../ui/device/local-storage.ts'
import { createWatchers } from '../../ui/watchers.ts'

/** Whether this device tells, and if not, why: it was not asked to, the browser forbids it, or cannot do it here. */
export type NotificationState = 'on' | 'off' | 'blocked' | 'insecure' | 'missing'

const KEY = 'parley.notifications'
/** Whether this device was asked. */
const OFFER = 'parley.notifications.offer'
/** That somebody was called here, and wants to be asked. */
const wanted = () => `parley.offer.${sessionUserId()}`
/** What was chosen on this page where this device keeps nothing. */
let chosen: string | undefined
let isOfferMade = false

export function notificationState(): NotificationState {
  // Browsers have it on secure pages only, and some pretend it was refused elsewhere.
  if (!window.isSecureContext) return 'insecure'
  if (!('Notification' in window)) return 'missing'
  if (Notification.permission === 'denied') return 'blocked'
  return Notification.permission === 'granted' && (chosen ?? readItem(KEY)) !== 'off' ? 'on' : 'off'
}

/** It changes here, in another tab, and in the browser's own settings. */
const { watch, notify } = createWatchers(() => {
  window.addEventListener('storage', notify)
  window.addEventListener('focus', notify)
  return () => {
    window.removeEventListener('storage', notify)
    window.removeEventListener('focus', notify)
  }
})

/** Asks the browser; only ever after a click. Whoever looks away from its question is asked again another time. */
export async function enableNotifications() {
  choose('on')
  await Notification.requestPermission()
  notify()
}

export function disableNotifications() {
  choose('off')
  notify()
}

/** There was something to tell, and this device was never asked: it may be, once, when Parley is opened the next time. */
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
