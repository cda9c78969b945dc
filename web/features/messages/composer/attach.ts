import { withTexts } from '../../../i18n/language.ts'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import type { Target } from '../outbox/pending-message.ts'

/** Adds files to a conversation's tray and uploads them. Others see them once the message is sent. */
export const attach = (to: Target, files: File[]) =>
  void withTexts(() => import('../outbox/uploads.ts')).then(
    ({ upload }) => upload(to, files),
    (error) => {
      console.error('Failed to upload files. Please try again.', error)
      showToast(t('messages.composer.attachFailed'))
    },
  )
