import { paths } from '../../paths.ts'
import { plainText } from '../../ui/format/plain-text.ts'
import { claimNotification } from './claim-notification.ts'
import { type AppNotification, onNotification } from './notification-bus.ts'
import { isConversationOnScreen } from './on-screen.ts'
import { notificationState } from './permission.ts'

/** How long a message may be read, here, in another tab or on another device, before its notification appears. */
const NOTIFY_DELAY_MS = 1000

/**
 * Shows browser notifications until the returned function is called. `onOpen` gets the address of the message whose
 * notification was clicked; `onUntold` runs when this device missed one.
 */
export function startNotifier(onOpen: (address: string) => void, onUntold: () => void) {
  const shown = new Map<Notification, AppNotification>()
  const timers = new Set<ReturnType<typeof setTimeout>>()

  async function tell(call: AppNotification) {
    if (
      call.isRead() ||
      isConversationOnScreen(call) ||
      notificationState() !== 'on' ||
      !(await claimNotification(call.id))
    )
      return
    const { id, channelId, title, content } = call
    try {
      const notification = new Notification(title, { body: plainText(content), tag: id, icon: '/icon.svg' })
      shown.set(notification, call)
      notification.onclose = () => shown.delete(notification)
      notification.onclick = () => {
        window.focus()
        notification.close()
        onOpen(`${paths.channel(channelId)}?message=${id}`)
      }
    } catch (error) {
      // Mobile browsers allow notifications for installed pages only.
      console.error('A notification could not be shown:', error)
    }
  }

  const stopHearing = onNotification({
    onCall: (call) => {
      // Claimed because it is visible, so that no other tab notifies of it.
      if (isConversationOnScreen(call)) return void claimNotification(call.id)
      if (notificationState() !== 'on') return onUntold()
      const timer = setTimeout(() => {
        timers.delete(timer)
        void tell(call)
      }, NOTIFY_DELAY_MS)
      timers.add(timer)
    },
    onRead: () => {
      for (const [notification, call] of shown) if (call.isRead()) notification.close()
    },
  })
  return () => {
    stopHearing()
    for (const timer of timers) clearTimeout(timer)
    for (const notification of shown.keys()) notification.close()
  }
}
