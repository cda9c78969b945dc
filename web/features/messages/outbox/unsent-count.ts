import { attachmentsIn, conversationsWithFiles } from './attachments.ts'
import { currentDrafts } from './current-drafts.ts'
import { allPending, readPending } from './outbox.ts'

// For the confirmation of signing out. Lazy-loaded.

/** Whether a message is being sent, rather than queued. */
export const isSending = () => allPending().some(({ state }) => state === 'sending')

/**
 * Counts everything that the server does not have.
 * @throws if this device's database cannot be read now
 */
export async function countUnsent() {
  // A page that has just loaded may not have read the database yet.
  if (!(await readPending())) throw new Error('The outbox cannot be read')
  const written = currentDrafts().all()
  const edits = written.filter(({ draft }) => draft.edit).length
  const files = conversationsWithFiles().reduce((sum, conversation) => sum + attachmentsIn(conversation).length, 0)
  return { messages: allPending().length, drafts: written.length - edits, edits, files }
}
