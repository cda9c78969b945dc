/** A message, or a reminder, to notify of. */
export interface AppNotification {
  /** Of the message or the reminder. No two tabs notify of the same one. */
  id: string
  /** The page that it opens. */
  address: string
  /** Whose picture is shown. */
  authorId: string
  /** The author, and where: 'Bob Kahn in #launch'. */
  title: string
  content: string
  /** Why it notifies: 'You follow this thread'. */
  reason?: string | undefined
  /** Whether it was read, here or on another device. */
  isRead: () => boolean
  /** Whether the user sees it without a notification. */
  isOnScreen: () => boolean
  /** Called when the user opened it. */
  onOpened?: (() => void) | undefined
}

/** Where a message is that the service worker notified of. */
export interface PushedPlace {
  channelId: string
  threadId: string | null
  seq: number
}

/** Whether a message that was pushed has been read. */
type IsRead = (place: PushedPlace) => boolean

type Listener = { onNotify: (notification: AppNotification) => void; onRead: (isRead: IsRead) => void }
const listeners = new Set<Listener>()

export function onNotification(listener: Listener) {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

export function notify(notification: AppNotification) {
  for (const { onNotify } of listeners) onNotify(notification)
}

/** Call it when something was read: its notification may close. */
export function notifyRead(isRead: IsRead = () => false) {
  for (const { onRead } of listeners) onRead(isRead)
}
