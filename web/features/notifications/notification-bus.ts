/** Something said that calls me. */
export interface AppNotification {
  /** The message's id. */
  id: string
  channelId: string
  threadId: string | null
  /** Who, and where. */
  title: string
  content: string
  /** Whether it was read, here or on another device. */
  isRead: () => boolean
}

type Listener = { onCall: (call: AppNotification) => void; onRead: () => void }
const listeners = new Set<Listener>()

export function onNotification(hearer: Listener) {
  listeners.add(hearer)
  return () => void listeners.delete(hearer)
}

export function notify(call: AppNotification) {
  for (const { onCall } of listeners) onCall(call)
}

/** Something was read: what told of it may go. */
export function notifyRead() {
  for (const { onRead } of listeners) onRead()
}
