/** Something said that calls me. */
export interface Call {
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

type Hearer = { onCall: (call: Call) => void; onRead: () => void }
const hearers = new Set<Hearer>()

export function hearCalls(hearer: Hearer) {
  hearers.add(hearer)
  return () => void hearers.delete(hearer)
}

export function tellCall(call: Call) {
  for (const { onCall } of hearers) onCall(call)
}

/** Something was read: what told of it may go. */
export function tellRead() {
  for (const { onRead } of hearers) onRead()
}
