/** A message to notify of. */
export interface AppNotification {
  /** The message's id. */
  id: string
  channelId: string
  threadId: string | null
  /** The author, and where: 'Bob Kahn in #launch'. */
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

/** Something was read: its notification may close. */
export function notifyRead() {
  for (const { onRead } of listeners) onRead()
}
