import { removeLinkPreview } from '#contract/link-previews'
import { call, queryClient } from '../../../api-client/api.ts'
import { logFailure } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { insertSent } from '../sync/message-queries.ts'

/** Removes the preview of a link from one of my messages, for everyone. */
export async function removePreview(messageId: string, url: string) {
  try {
    insertSent(queryClient, await call(removeLinkPreview, { params: { messageId }, query: { url } }))
    showToast(t('messages.previews.removed'))
  } catch (error) {
    showToast(logFailure(t('messages.previews.removeFailed'), error))
  }
}
