import { deleteMessage, type Message } from '#contract/messages'
import { call, fetchResponse } from '../../../api-client/api.ts'
import { logFailure } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { sessionUserId } from '../../../session/session.ts'
import { onSignOut } from '../../../session/sign-out-tasks.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { deleted } from './pending-deletions.ts'

interface Deletion {
  timer: ReturnType<typeof setTimeout>
  endToast: () => void
  /** The user who deleted it: the request is never sent as another user. */
  userId: string | undefined
}

export const UNDO_MS = 5000

/** Deletions not yet sent to the server, by message id. */
const pending = new Map<string, Deletion>()

/** Deletes a message after a few seconds in which the user can undo it. */
export function deleteSoon({ id }: Message) {
  if (deleted.get(id)) return
  deleted.set(id, true)
  const send = async () => {
    if (!endUndo(id)) return
    try {
      await call(deleteMessage, { params: { messageId: id } })
    } catch (error) {
      deleted.set(id)
      showToast(logFailure(t('messages.failed.delete'), error))
    }
  }
  const endToast = showToast(t('messages.delete.done'), {
    action: { name: t('ui.undo'), act: () => undoDeletion(id) },
    durationMs: UNDO_MS,
  })
  pending.set(id, { timer: setTimeout(send, UNDO_MS), endToast, userId: sessionUserId() })
  window.addEventListener('pagehide', sendDeletions)
}

/** Cancels a deletion that hasn't been sent. */
export function undoDeletion(id: string) {
  clearTimeout(pending.get(id)?.timer)
  if (pending.delete(id)) deleted.set(id)
}

/** Sends all pending deletions now, in requests that outlive the page. Returns the number of failures. */
async function sendDeletions(): Promise<number> {
  const ids = [...pending.keys()].filter(endUndo)
  const sent = ids.map((id) =>
    deleteNow(id).catch((error) => {
      deleted.set(id)
      console.error('Failed to delete message:', error)
      throw error
    }),
  )
  return (await Promise.allSettled(sent)).filter(({ status }) => status === 'rejected').length
}

/** Short, because signing out waits for it. */
const TIMEOUT_MS = 3000

const deleteNow = (id: string) =>
  fetchResponse(deleteMessage, { params: { messageId: id } }, { keepalive: true, timeoutMs: TIMEOUT_MS })

onSignOut({
  async finish() {
    const failed = await sendDeletions()
    return failed > 0 ? t('messages.delete.lost', { count: failed }) : undefined
  },
})

/** Ends the undo period and its toast. Returns whether the deletion is still to be sent. */
function endUndo(id: string): boolean {
  const deletion = pending.get(id)
  clearTimeout(deletion?.timer)
  deletion?.endToast()
  pending.delete(id)
  const isWanted = deletion !== undefined && deletion.userId === sessionUserId()
  if (!isWanted) deleted.set(id)
  return isWanted
}
