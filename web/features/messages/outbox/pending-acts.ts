import { showToast } from '../../../ui/feedback/toast.tsx'
import { giveBack } from './attachments.ts'
import { draftOf, saveDrafts, setDraft } from './drafts.ts'
import { boxOf, type PendingMessage, targetOf } from './pending-message.ts'
import { addRow, changeRow, removeRow, rowsAuthor } from './pending-messages.ts'
import { endWait, sendMine } from './send-queue.ts'

// What one can do with a message that could not be sent. Lazy-loaded.

export function retry(message: PendingMessage) {
  void changeRow(message, { state: 'sending' })
  endWait(boxOf(message))
  sendMine(message)
}

/** Takes a message out, unless that is taken back. */
export function discard(message: PendingMessage) {
  void removeRow(message)
  const author = rowsAuthor()
  const undo = () => {
    // Never as somebody else's, who came meanwhile.
    if (rowsAuthor() === author) void addRow(message).then(() => message.state === 'failed' || sendMine(message))
  }
  showToast('Message discarded', { action: { name: 'Undo', act: undo } })
}

/** Takes a message back into the box, in front of what is there. */
export function editAgain(message: PendingMessage) {
  const box = boxOf(message)
  const { text } = draftOf(box)
  setDraft(box, { text: [message.content, text].filter((part) => part !== '').join('\n'), to: targetOf(message) })
  if (message.files) giveBack(box, message.files)
  // In one place at least, whatever happens now.
  saveDrafts()
  void removeRow(message)
}
