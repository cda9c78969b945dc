import { attachedBoxes, attachmentsIn } from './attachments.ts'
import { allDrafts } from './drafts.ts'
import { allPending, readRows } from './pending-messages.ts'

// What whoever signs out is asked about. Lazy-loaded.

/** Whether a message is on its way, and not only waiting for the connection. */
export const isSending = () => allPending().some(({ state }) => state === 'sending')

/**
 * What would be lost with this device's memory: how much of each the server does not have.
 * @throws where what this device keeps cannot be read now
 */
export async function countUnsent() {
  // A page that has just begun has not read what is kept.
  if (!(await readRows())) throw new Error('The outbox cannot be read')
  const written = allDrafts()
  const edits = written.filter(({ draft }) => draft.edit).length
  const files = attachedBoxes().reduce((sum, box) => sum + attachmentsIn(box).length, 0)
  return { messages: allPending().length, drafts: written.length - edits, edits, files }
}
