import { useSyncExternalStore } from 'react'
import { createWatchers } from '../ui/watchers.ts'

/** An event of Chromium's, and of no other browser. */
interface InstallOffer extends Event {
  prompt: () => Promise<unknown>
}
declare global {
  interface WindowEventMap {
    beforeinstallprompt: InstallOffer
  }
}

let offer: InstallOffer | undefined
const { watch, notify } = createWatchers()
const keep = (event?: InstallOffer) => {
  offer = event
  notify()
}

/** Keeps the browser's offer to install the app, which may come before anything can show it. */
export function keepInstallOffer() {
  addEventListener('beforeinstallprompt', (event) => {
    event.preventDefault()
    keep(event)
  })
  addEventListener('appinstalled', () => keep())
}

/** Whether the browser can install the app, which is not installed yet. */
export const useInstallOffer = () => useSyncExternalStore(watch, () => offer !== undefined)

/** Opens the browser's dialog. An offer is good for one: after a refusal, the browser may make another. */
export function installApp() {
  offer?.prompt().catch((error) => console.error('Failed to offer the installation:', error))
  keep()
}
