import { plainText } from '../../ui/format/plain-text.ts'
import { knownPicture, pictureOf } from '../../ui/pictures.ts'
import { claimNotification } from './claim-notification.ts'
import { type AppNotification, onNotification } from './notification-bus.ts'
import { notificationState } from './permission.ts'

/** How long a message may be read, here, in another tab or on another device, before its notification appears. */
const NOTIFY_DELAY_MS = 1000

/** The author's picture, which the browser fetches with the session's cookie, or the product's icon. */
function iconOf(authorId: string) {
  const url = knownPicture(authorId)
  return url ? pictureOf(url, 256) : '/icon.svg'
}

/**
 * Shows browser notifications until the returned function is called. `onOpen` gets the address of the message whose
 * notification was clicked; `onMissed` runs when this device missed one.
 */
export function startNotifier(onOpen: (address: string) => void, onMissed: () => void) {
  const shown = new Map<Notification, AppNotification>()
  const timers = new Set<ReturnType<typeof setTimeout>>()

  async function show(message: AppNotification) {
    const { id, address, authorId, title, content, reason } = message
    if (message.isRead() || message.isOnScreen() || notificationState() !== 'on') return
    if (!(await claimNotification(id))) return
    try {
      const body = [plainText(content), reason].filter(Boolean).join('\n')
      const notification = new Notification(title, { body, tag: id, icon: iconOf(authorId) })
      shown.set(notification, message)
      notification.onclose = () => shown.delete(notification)
      notification.onclick = () => {
        window.focus()
        notification.close()
        onOpen(address)
        message.onOpened?.()
      }
    } catch (error) {
      // Mobile browsers allow notifications for installed pages only.
      console.error('Failed to show a notification:', error)
    }
  }

  const unsubscribe = onNotification({
    onNotify: (message) => {
      // Claimed because it is visible, so that no other tab notifies of it.
      if (message.isOnScreen()) return void claimNotification(message.id)
      if (notificationState() !== 'on') return onMissed()
      const timer = setTimeout(() => {
        timers.delete(timer)
        void show(message)
      }, NOTIFY_DELAY_MS)
      timers.add(timer)
    },
    onRead: () => {
      for (const [notification, message] of shown) if (message.isRead()) notification.close()
    },
  })
  return () => {
    unsubscribe()
    for (const timer of timers) clearTimeout(timer)
    for (const notification of shown.keys()) notification.close()
  }
}
