import { removeLinkPreview } from '#contract/link-previews'
import { call, fetchResponse, queryClient } from '../../../api-client/api.ts'
import { logFailure } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { sessionUserId } from '../../../session/session.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { insertSent } from '../sync/message-queries.ts'
import { hidePreview } from './pending-previews.ts'

const UNDO_MS = 5000

/** Removes the preview of a link from one of my messages, for everyone, after a few seconds in which I can undo it. */
export function removePreviewSoon(messageId: string, url: string) {
  const userId = sessionUserId()
  const input = { params: { messageId }, query: { url } }
  hidePreview(messageId, url, true)
  const timer = setTimeout(send, UNDO_MS)
  window.addEventListener('pagehide', sendNow)
  const endToast = showToast(t('messages.previews.removed'), {
    action: { name: t('ui.undo'), act: undo },
    durationMs: UNDO_MS,
  })

  /** Returns whether it is still to be sent: never as another user. */
  function end() {
    clearTimeout(timer)
    window.removeEventListener('pagehide', sendNow)
    endToast()
    return userId === sessionUserId()
  }
  async function send() {
    try {
      if (end()) insertSent(queryClient, await call(removeLinkPreview, input))
    } catch (error) {
      showToast(logFailure(t('messages.previews.removeFailed'), error))
    } finally {
      hidePreview(messageId, url, false)
    }
  }
  /** In a request that outlives the page. */
  function sendNow() {
    if (end()) void fetchResponse(removeLinkPreview, input, { keepalive: true })
  }
  function undo() {
    end()
    hidePreview(messageId, url, false)
  }
}
