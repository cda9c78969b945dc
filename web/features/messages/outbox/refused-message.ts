import type { ApiError } from '../../../api-client/api.ts'
import { failureText, withFullStop } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { setAlsoToChannel } from './also-to-channel.ts'
import { attachmentsIn, restoreAttachments } from './attachments.ts'
import { currentDrafts } from './current-drafts.ts'
import { isComposerOpen } from './open-conversations.ts'
import { conversationKey, type PendingMessage, targetOf } from './pending-message.ts'
import type { PendingMessages } from './pending-messages.ts'

/**
 * Returns a refused message's text to the composer of the tab in which it was written. If that holds other text by now, or if
 * another tab or a reloaded page sent the message, the message stays as a failed row.
 * @param isOwn whether it was written or retried in this tab
 */
export async function handleRefusal(
  pending: PendingMessages,
  message: PendingMessage,
  error: ApiError,
  isOwn: boolean,
) {
  const conversation = conversationKey(message)
  const failure = message.threadId === null ? t('messages.outbox.notSent') : t('messages.outbox.replyNotSent')
  const reason = failureText(failure, error)
  console.error(`${failure}:`, error)
  const isConversationGone = error.status === 404
  const isStranded = isConversationGone || error.code === 'not_a_member'
  if (!isConversationGone && !isComposerOpen(conversation))
    showToast(t('messages.outbox.back', { reason: withFullStop(reason) }))
  if (isConversationGone || !isOwn || !isEmpty(conversation))
    return pending.change(message, { state: 'failed', reason, ...(isStranded && { isStranded }) })
  const drafts = currentDrafts()
  drafts.set(conversation, { text: message.content, refusal: reason, to: targetOf(message) })
  if (message.files) restoreAttachments(conversation, message.files)
  if (message.alsoToChannel) setAlsoToChannel(conversation, true)
  // Saved before the row is removed, so that a crash cannot lose it.
  drafts.save()
  await pending.remove(message)
}

const isEmpty = (conversation: string) =>
  currentDrafts().get(conversation).text === '' && attachmentsIn(conversation).length === 0
