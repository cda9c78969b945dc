import { sessionUserId } from '../../../session/session.ts'
import { isOfKeptReply } from '../../../ui/device/push-messages.ts'
import { claimNotification } from '../claim-notification.ts'
import type { AppNotification, PushedPlace } from '../notification-bus.ts'
import { isConversationOnScreen } from '../on-screen.ts'
import { readPushMemory } from './push-memory.ts'

/** Of the last pushed notifications. */
const MAX_TAGS = 100

/**
 * The notifications that the service worker shows while this page is open. Browsers don't replace one of a page by one of a worker,
 * so the page steps back.
 */
export function createPushed() {
  const messages = new Map<string, AppNotification | undefined>()
  return {
    /** Call when one is about to be shown. @param message if this page showed it before */
    note(tag: string, message?: AppNotification) {
      messages.set(tag, message)
      const [oldest] = messages.keys()
      if (messages.size > MAX_TAGS && oldest !== undefined) messages.delete(oldest)
      // No other tab shows it either.
      void claimNotification(tag)
    },
    /** Whether the worker has shown it. Then it is closed once it is read. */
    has(message: AppNotification) {
      if (messages.has(message.id)) messages.set(message.id, message)
      return messages.has(message.id)
    },
    /** Closes those of messages that were read, of the conversation on screen, and of replies that this page sends. */
    closeRead(isRead: (place: PushedPlace) => boolean) {
      if (!readPushMemory(sessionUserId())) return
      closeSome(
        ({ tag, data }) =>
          isOfKeptReply(tag) ||
          messages.get(tag)?.isRead() ||
          (data?.message && (isRead(data.message) || isConversationOnScreen(data.message))),
      ).catch((error) => console.warn('Failed to close notifications:', error))
    },
  }
}

async function closeSome(isClosed: (notification: Notification) => boolean) {
  const registration = await navigator.serviceWorker?.getRegistration()
  const shown = (await registration?.getNotifications()) ?? []
  for (const notification of shown) if (isClosed(notification)) notification.close()
}
