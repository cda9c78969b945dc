import { waitOf } from './hold.ts'
import type { PendingMessage } from './pending-message.ts'

/** Browsers reject requests that outlive the page if their bodies have more than 64 KiB in all. */
const MAX_BYTES = 60_000

/**
 * The messages to send when the page is closed, which waits for no response. Each conversation ends before the first that
 * cannot be sent, because the ones behind it would overtake it.
 */
export function sendableOnClose(
  conversations: readonly (readonly PendingMessage[])[],
  isOwn: (message: PendingMessage) => boolean,
  now: number,
) {
  let room = MAX_BYTES
  const fits = (message: PendingMessage) => {
    // Longer than its request's body.
    const bytes = new TextEncoder().encode(JSON.stringify(message)).length
    if (bytes > room) return false
    room -= bytes
    return true
  }
  /** It waits for a retry, or another tab may still take it back. */
  const isBlocked = (message: PendingMessage) =>
    message.state === 'queued' || (!isOwn(message) && waitOf(message, now, false) > 0)
  return conversations.flatMap((conversation) => {
    const unsent = conversation.filter(({ state }) => state !== 'failed')
    const end = unsent.findIndex((message) => isBlocked(message) || !fits(message))
    return end < 0 ? unsent : unsent.slice(0, end)
  })
}
