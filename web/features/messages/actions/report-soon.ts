import type { Message } from '#contract/messages'
import { reportMessage } from '#contract/moderation'
import { call } from '../../../api-client/api.ts'
import { logFailure } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'

const UNDO_MS = 5000

/** Reports a message to the owner and the admins after a few seconds in which the user can undo it. */
export function reportSoon({ id }: Message) {
  const timer = setTimeout(() => {
    call(reportMessage, { params: { messageId: id }, body: {} }).catch((error) =>
      showToast(logFailure(t('messages.failed.report'), error)),
    )
  }, UNDO_MS)
  showToast(t('messages.report.done'), {
    action: { name: t('ui.undo'), act: () => clearTimeout(timer) },
    durationMs: UNDO_MS,
  })
}
