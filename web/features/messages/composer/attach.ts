import { withTexts } from '../../../i18n/language.ts'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { type Attachment, addAttachments, attachmentsIn, setAttachments } from '../outbox/attachments.ts'
import { conversationKey, type Target } from '../outbox/pending-message.ts'

/**
 * Adds files to a conversation's tray and uploads them. Others see them once the message is sent.
 * @returns those that fit into the tray
 */
export function attach(to: Target, files: File[]): Attachment[] {
  const conversation = conversationKey(to)
  // Added immediately, so that no message is sent without them while the code loads.
  const added = addAttachments(conversation, files)
  withTexts(() => import('../outbox/uploads.ts')).then(
    ({ upload }) => upload(to, files, added),
    (error) => {
      console.error('Failed to upload files. Please try again.', error)
      setAttachments(
        conversation,
        attachmentsIn(conversation).filter((attachment) => !added.includes(attachment)),
      )
      showToast(t('messages.composer.attachFailed'))
    },
  )
  return added
}
