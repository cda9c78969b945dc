import { joinTexts } from '#contract/quotes'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { setAlsoToChannel } from './also-to-channel.ts'
import { restoreAttachments } from './attachments.ts'
import { currentDrafts } from './current-drafts.ts'
import { currentOutbox } from './outbox.ts'
import { conversationKey, type PendingMessage, targetOf } from './pending-message.ts'

// Actions on a message that could not be sent. Lazy-loaded.

export function retry(message: PendingMessage) {
  currentOutbox()?.retry(message)
}

/** Discards a message; a toast offers to undo that. */
export function discard(message: PendingMessage) {
  const outbox = currentOutbox()
  if (!outbox) return
  void outbox.pending.remove(message)
  const undo = () => {
    const current = currentOutbox()
    // Another user may have signed in meanwhile.
    if (current?.userId === outbox.userId) current.add(message)
  }
  showToast(t('messages.outbox.discarded'), { action: { name: t('ui.undo'), act: undo } })
}

/** Moves a message back into the composer, in front of the draft there. */
export function editAgain(message: PendingMessage) {
  const conversation = conversationKey(message)
  const { text } = currentDrafts().get(conversation)
  currentDrafts().set(conversation, { text: joinTexts(message.content, text), to: targetOf(message) })
  if (message.files) restoreAttachments(conversation, message.files)
  if (message.alsoToChannel) setAlsoToChannel(conversation, true)
  // Saved before the row is removed, so that a crash cannot lose it.
  currentDrafts().save()
  void currentOutbox()?.pending.remove(message)
}
