import { onSignOut } from '../../../session/sign-out-tasks.ts'
import { allPending, currentOutbox, isHeld, pendingIn } from './outbox.ts'
import { editAgain } from './pending-acts.ts'
import { conversationKey, type PendingMessage } from './pending-message.ts'
import { post } from './send-queue.ts'
import { sendableOnClose } from './sendable-on-close.ts'

// Lazy-loaded.

/**
 * Moves a held message back into the composer, and those held after it in its conversation, so that they keep their order.
 * Does nothing once its time is over.
 */
export function undoSend({ clientId, ...to }: PendingMessage) {
  const all = pendingIn(conversationKey(to))
  const first = all.findIndex((message) => message.clientId === clientId && isHeld(message))
  if (first < 0) return
  // Each goes in front of what is in the composer.
  for (const message of all.slice(first).filter(isHeld).toReversed()) editAgain(message)
}

/** Sends a held message at once, after those before it. */
export function sendNow(message: PendingMessage) {
  const all = pendingIn(conversationKey(message))
  release(all.filter(({ createdAt }) => createdAt <= message.createdAt))
}

const release = (messages: readonly PendingMessage[]) => currentOutbox()?.release(messages.filter(isHeld))

/** A hidden page may be frozen or ended at any moment. */
const onHidden = () => document.visibilityState === 'hidden' && release(allPending())

/** Sends the messages that are not confirmed, in requests that outlive the page. */
function onPageHide() {
  const outbox = currentOutbox()
  if (!outbox) return
  const { pending, isOwn } = outbox
  for (const message of sendableOnClose(pending.conversations().map(pendingIn), isOwn, Date.now()))
    post(message, { keepalive: true }).catch((error) => console.error('Failed to send a message:', error))
}

globalThis.document?.addEventListener('visibilitychange', onHidden)
globalThis.addEventListener?.('pagehide', onPageHide)

onSignOut({
  async finish() {
    release(allPending())
    return undefined
  },
})
