import { notificationBody } from '../../ui/format/notification-body.ts'
import { knownPicture, pictureOf } from '../../ui/pictures.ts'
import { claimNotification } from './claim-notification.ts'
import { type AppNotification, onNotification } from './notification-bus.ts'
import { notificationState } from './permission.ts'
import { createPushed } from './push/pushed.ts'
import { onWorkerMessage } from './push/worker-messages.ts'

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
  const pushed = createPushed()

  async function show(message: AppNotification) {
    const { id, address, authorId, title, content, reason } = message
    if (message.isRead() || message.isOnScreen() || notificationState() !== 'on') return
    if (pushed.has(message) || !(await claimNotification(id))) return
    try {
      const options = { body: notificationBody(content, reason), tag: id, icon: iconOf(authorId) }
      const notification = new Notification(title, options)
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
    onRead: (isRead) => {
      for (const [notification, message] of shown) if (message.isRead()) notification.close()
      pushed.closeRead(isRead)
    },
  })

  /** Closes the page's notification, which the service worker shows instead. Returns whether there was one. */
  function stepBack(tag: string) {
    const [own, message] = [...shown].find(([, { id }]) => id === tag) ?? []
    pushed.note(tag, message)
    own?.close()
    return own !== undefined
  }

  const stopListening = onWorkerMessage((message) => {
    if (message.kind === 'push: arriving') return stepBack(message.tag)
    if (message.kind === 'push: awake') return true
    if (message.kind !== 'push: open') return undefined
    onOpen(message.path)
    return true
  })
  return () => {
    unsubscribe()
    stopListening()
    for (const timer of timers) clearTimeout(timer)
    for (const notification of shown.keys()) notification.close()
  }
}
