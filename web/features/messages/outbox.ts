import { v4 as uuid } from 'uuid'
import type { StoredFile } from '#contract/files'
import { dropAttachments, giveBack, openAttachments } from './attachments.ts'
import { draftOf, dropDrafts, openDrafts, saveDrafts, setDraft } from './drafts.ts'
import {
  addRow,
  allPending,
  changeRow,
  deleteRows,
  leaveUnsaved,
  openRows,
  removeRow,
  rowsAuthor,
} from './outbox-rows.ts'
import { boxOf, type PendingMessage, type Target } from './pending-message.ts'
import { endWait, forgetSending, sendLeft, sendMine, sendWaiting, startSending, stopSending } from './sender.ts'

// What was written and is not confirmed: outbox-rows.ts shows it, outbox-store.ts keeps it on this device, sender.ts
// sends it, and turns.ts sees to it that only one tab does.

export { pendingIn, usePending } from './outbox-rows.ts'
export { boxOf, type PendingMessage } from './pending-message.ts'
export { sendWaiting } from './sender.ts'

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
  if (isNew) void openRows(userId, heardOfOthers).then(sendWaiting)
  else sendWaiting()
  globalThis.addEventListener?.('pagehide', leaveUnsaved)
  return () => {
    globalThis.removeEventListener?.('pagehide', leaveUnsaved)
    clearTimeout(courtesy)
    saveDrafts()
    stopSending()
  }
}

/** Whoever leaves leaves nothing on a device that others may use: neither messages nor drafts. */
export function emptyOutbox() {
  forgetSending()
  deleteRows()
  dropDrafts()
  dropAttachments()
}

/** How many messages the server has not confirmed. */
export const countUnsent = () => allPending().length

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
  return new Date(Math.max(Date.now(), ...times)).toISOString()
}

export function retry(message: PendingMessage) {
  void changeRow(message, { state: 'sending' })
  endWait(boxOf(message))
  sendMine(message)
}

/** Takes a message out for good. */
export function discard(message: PendingMessage) {
  void removeRow(message)
}

/** Takes a message back into the box, in front of what is there. */
export function editAgain(message: PendingMessage) {
  const box = boxOf(message)
  const { text } = draftOf(box)
  setDraft(box, { text: [message.content, text].filter((part) => part !== '').join('\n') })
  if (message.files) giveBack(box, message.files)
  // In one place at least, whatever happens now.
  saveDrafts()
  discard(message)
}

/** A channel is gone: what was written for it, and cannot be seen there any more, is shown elsewhere. */
export function strand(channelId: string) {
  const { text } = draftOf(channelId)
  if (text.trim() !== '') {
    enqueueStranded(channelId, text.trim())
    setDraft(channelId, { text: '' })
  }
  for (const message of allPending()) {
    if (message.channelId === channelId && !message.isStranded) void changeRow(message, lost)
  }
}

const lost = { state: 'failed', reason: 'Not sent: its channel is gone', isStranded: true } as const

function enqueueStranded(channelId: string, content: string) {
  void addRow({ clientId: `temp-${uuid()}`, channelId, threadId: null, content, createdAt: afterAll(), ...lost })
}

/** Another tab has written or sent something. It sends what was written there, unless it goes away before. */
function heardOfOthers() {
  clearTimeout(courtesy)
  courtesy = setTimeout(sendLeft, COURTESY)
}
