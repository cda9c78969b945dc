import { v4 as uuid } from 'uuid'
import type { StoredFile } from '#contract/files'
import { onSignOut } from '../../../session/sign-out-tasks.ts'
import { startRetrying } from '../../../ui/feedback/use-retry.ts'
import { serverNow } from '../../../ui/format/clock.ts'
import { dropAttachments, openAttachments } from './attachments.ts'
import { dropDrafts, openDrafts, saveDrafts } from './drafts.ts'
import type { PendingMessage, Target } from './pending-message.ts'
import { addRow, allPending, deleteRows, openRows, outboxAuthor, persistUnsaved, readRows } from './pending-messages.ts'
import { forgetSending, sendOrphaned, sendOwn, sendWaiting, startSending, stopSending } from './send-queue.ts'

// Messages that the server has not confirmed: pending-messages.ts shows them, outbox-db.ts stores them on this device,
// send-queue.ts sends them, and tab-lock.ts lets only one tab do so at a time.

export { conversationKey, type PendingMessage } from './pending-message.ts'
export { pendingIn, usePending } from './pending-messages.ts'
export { sendWaiting } from './send-queue.ts'

const READ_RETRY_DELAY_MS = 5000

/** How long a tab waits for the one in which a message was written, before it sends that message itself. */
const TAKEOVER_DELAY_MS = 4000

let takeover: ReturnType<typeof setTimeout> | undefined

/** Opens a user's outbox: one user's messages are never sent as another's. Returns a function that stops sending. */
export function openOutbox(userId: string) {
  const isNew = outboxAuthor() !== userId
  if (isNew) forgetSending()
  startSending()
  openDrafts(userId)
  openAttachments(userId)
  if (isNew) openRows(userId, onOtherTab)
  sendWaiting()
  globalThis.addEventListener?.('pagehide', persistUnsaved)
  return () => {
    globalThis.removeEventListener?.('pagehide', persistUnsaved)
    clearTimeout(takeover)
    saveDrafts()
    stopSending()
  }
}

/**
 * Shows and sends the messages that earlier pages stored on this device. Retries until they can be read, because that
 * needs code that is loaded later. Returns a function that stops it.
 */
export function readOutbox() {
  const read = async () => {
    if (await readRows()) stop()
    sendWaiting()
  }
  const stop = startRetrying(read, { current: READ_RETRY_DELAY_MS })
  void read()
  return stop
}

/** Deletes the user's messages, drafts and attachments from this device. Resolves when they are gone. */
export function emptyOutbox(): Promise<void> {
  forgetSending()
  const gone = deleteRows()
  dropDrafts()
  dropAttachments()
  return gone
}

onSignOut({ forget: emptyOutbox })

/** Shows a message at once, and sends it as soon as it is stored on this device. */
export function enqueue(to: Target, content: string, files: readonly StoredFile[] = []) {
  const message: PendingMessage = {
    // uuid() falls back to getRandomValues, because randomUUID does not exist on plain http.
    clientId: `temp-${uuid()}`,
    ...to,
    content,
    ...(files.length > 0 && { files }),
    createdAt: afterAll(),
    state: 'sending',
  }
  void addRow(message).then(() => sendOwn(message))
}

/** Now, or just after the latest message, in case the clock was set back or is too coarse. */
function afterAll() {
  const times = allPending().map(({ createdAt }) => Date.parse(createdAt) + 1)
  return new Date(Math.max(serverNow(), ...times)).toISOString()
}

/** Another tab has written or sent something. It sends its own messages, unless it is closed before. */
function onOtherTab() {
  clearTimeout(takeover)
  takeover = setTimeout(sendOrphaned, TAKEOVER_DELAY_MS)
}
