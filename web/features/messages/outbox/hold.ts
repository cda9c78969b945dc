import type { PendingMessage } from './pending-message.ts'

/** How long a message can be taken back before it is sent. */
export const HOLD_MS = 5000
/** How long a tab leaves a message to the tab in which it was written, before it sends the message itself. */
export const TAKEOVER_DELAY_MS = 4000

/**
 * How long a message still has to wait before it is sent, in milliseconds. Other tabs wait longer than the one in which it
 * was written: if they sent it just after its author took it back there, it would be both.
 * @param now Unix time in milliseconds
 */
export function waitOf({ heldUntil = 0 }: Pick<PendingMessage, 'heldUntil'>, now: number, isOwn: boolean) {
  const leftMs = heldUntil - now
  // A hold that is longer than possible began before the clock was set back.
  return leftMs > HOLD_MS ? 0 : Math.max(0, leftMs + (isOwn ? 0 : TAKEOVER_DELAY_MS))
}
