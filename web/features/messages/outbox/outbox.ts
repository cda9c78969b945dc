import { v4 as uuid } from 'uuid'
import type { StoredFile } from '#contract/files'
import { onSignOut } from '../../../session/sign-out-tasks.ts'
import { startRetrying } from '../../../ui/feedback/use-retry.ts'
import { serverNow } from '../../../ui/format/clock.ts'
import { dropAttachments, openAttachments } from './attachments.ts'
import { dropDrafts, openDrafts, saveDrafts } from './drafts.ts'
import type { PendingMessage, Target } from './pending-message.ts'
import { addRow, allPending, deleteRows, leaveUnsaved, openRows, readRows, rowsAuthor } from './pending-messages.ts'
import { forgetSending, sendLeft, sendMine, sendWaiting, startSending, stopSending } from './send-queue.ts'

// What was written and is not confirmed: outbox-rows.ts shows it, outbox-store.ts keeps it on this device, sender.ts
// sends it, and turns.ts sees to it that only one tab does.

export { boxOf, type PendingMessage } from './pending-message.ts'
export { pendingIn, usePending } from './pending-messages.ts'
export { sendWaiting } from './send-queue.ts'

/** Milliseconds until what is kept is read again, the first time that it could not be. */
const READ_RETRY_DELAY_MS = 5000

/** Milliseconds a tab leaves a message to the one it was written in, before it looks whether that one is gone. */
const COURTESY = 4000

let courtesy: ReturnType<typeof setTimeout> | undefined

/** Whose outbox this is: what one person wrote is never sent as another's. Answers how to stop sending. */
export function openOutbox(userId: string) {
  const isNew = rowsAuthor() !== userId
  if (isNew) forgetSending()
  startSending()
  openDrafts(userId)
  openAttachments(userId)
  if (isNew) openRows(userId, heardOfOthers)
  sendWaiting()
  globalThis.addEventListener?.('pagehide', leaveUnsaved)
  return () => {
    globalThis.removeEventListener?.('pagehide', leaveUnsaved)
    clearTimeout(courtesy)
    saveDrafts()
    stopSending()
  }
}

/**
 * Shows and sends what this device kept of earlier pages, and tries again until that can be read: it takes code that a page
 * does not begin with. Answers how to stop.
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

/** Whoever leaves leaves nothing on a device that others may use: neither messages nor drafts. Resolves when it is gone. */
export function emptyOutbox(): Promise<void> {
  forgetSending()
  const gone = deleteRows()
  dropDrafts()
  dropAttachments()
  return gone
}

onSignOut({ forget: emptyOutbox })

/** Queues a message; its row shows at once, and it goes out once it is kept on this device. */
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
  void addRow(message).then(() => sendMine(message))
}

/** Now, or just after all that was written here, should the clock have been set back or be too coarse. */
function afterAll() {
  const times = allPending().map(({ createdAt }) => Date.parse(createdAt) + 1)
  return new Date(Math.max(serverNow(), ...times)).toISOString()
}

/** Another tab has written or sent something. It sends what was written there, unless it goes away before. */
function heardOfOthers() {
  clearTimeout(courtesy)
  courtesy = setTimeout(sendLeft, COURTESY)
}
