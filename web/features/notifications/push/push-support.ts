import { isHomeScreenDevice, isInstalled } from '../../../ui/device/installed.ts'

/** Whether this browser can be notified while Parley is closed. `install`: only as an app on the Home Screen. */
export function pushSupport(): 'supported' | 'install' | 'missing' {
  if ('PushManager' in window && 'serviceWorker' in navigator && 'Notification' in window) return 'supported'
  return isHomeScreenDevice() && !isInstalled() ? 'install' : 'missing'
}
