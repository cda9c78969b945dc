import { useSyncExternalStore } from 'react'

/** Whether this device tells, and if not, why: it was not asked to, the browser forbids it, or cannot do it here. */
export type Telling = 'on' | 'off' | 'blocked' | 'insecure' | 'missing'

const KEY = 'parley.notifications'
const OFFER = 'parley.notifications.offer'

export function readTelling(): Telling {
  // Browsers have it on secure pages only, and some pretend it was refused elsewhere.
  if (!window.isSecureContext) return 'insecure'
  if (!('Notification' in window)) return 'missing'
  if (Notification.permission === 'denied') return 'blocked'
  return Notification.permission === 'granted' && localStorage.getItem(KEY) !== 'off' ? 'on' : 'off'
}

const watchers = new Set<() => void>()
const changed = () => {
  for (const watcher of watchers) watcher()
}

/** Asks the browser; only ever after a click. Whoever looks away from its question is asked again another time. */
export async function turnOn() {
  localStorage.setItem(KEY, 'on')
  rememberOffer()
  await Notification.requestPermission()
  changed()
}

export function turnOff() {
  localStorage.setItem(KEY, 'off')
  rememberOffer()
  changed()
}

/** There was something to tell, and this device was never asked: it may be, once, when Parley is opened the next time. */
export function wantOffer() {
  if (readTelling() === 'off' && localStorage.getItem(OFFER) === null) localStorage.setItem(OFFER, 'wanted')
}

export const isOfferWanted = () => readTelling() === 'off' && localStorage.getItem(OFFER) === 'wanted'

export function rememberOffer() {
  localStorage.setItem(OFFER, 'made')
}

export const useTelling = () => useSyncExternalStore(watch, readTelling)

/** It changes here, in another tab, and in the browser's own settings. */
function watch(watcher: () => void) {
  watchers.add(watcher)
  window.addEventListener('storage', watcher)
  window.addEventListener('focus', watcher)
  return () => {
    watchers.delete(watcher)
    window.removeEventListener('storage', watcher)
    window.removeEventListener('focus', watcher)
  }
}
