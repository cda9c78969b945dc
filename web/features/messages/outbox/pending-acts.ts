import { showToast } from '../../../ui/feedback/toast.tsx'
import { restoreAttachments } from './attachments.ts'
import { draftOf, saveDrafts, setDraft } from './drafts.ts'
import { conversationKey, type PendingMessage, targetOf } from './pending-message.ts'
import { addRow, changeRow, outboxAuthor, removeRow } from './pending-messages.ts'
import { endWait, sendOwn } from './send-queue.ts'

// Actions on a message that could not be sent. Lazy-loaded.

export function retry(message: PendingMessage) {
  void changeRow(message, { state: 'sending' })
  endWait(conversationKey(message))
  sendOwn(message)
}

/** Discards a message; a toast offers to undo that. */
export function discard(message: PendingMessage) {
  void removeRow(message)
  const author = outboxAuthor()
  const undo = () => {
    // Another user may have signed in meanwhile.
    if (outboxAuthor() === author) void addRow(message).then(() => message.state === 'failed' || sendOwn(message))
  }
  showToast('Message discarded', { action: { name: 'Undo', act: undo } })
}

/** Moves a message back into the composer, in front of the draft there. */
export function editAgain(message: PendingMessage) {
  const conversation = conversationKey(message)
  const { text } = draftOf(conversation)
  setDraft(conversation, {
    text: [message.content, text].filter((part) => part !== '').join('\n'),
    to: targetOf(message),
  })
  if (message.files) restoreAttachments(conversation, message.files)
  // Saved before the row is removed, so that a crash cannot lose it.
  saveDrafts()
  void removeRow(message)
}
