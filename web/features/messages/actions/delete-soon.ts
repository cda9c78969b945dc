import { deleteMessage, type Message } from '#contract/messages'
import { call } from '../../../api-client/api.ts'
import { logFailure } from '../../../api-client/failure-text.ts'
import { bearer, sessionUserId } from '../../../session/session.ts'
import { onSignOut } from '../../../session/sign-out-tasks.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { deleted } from './pending-deletions.ts'

interface Deletion {
  timer: ReturnType<typeof setTimeout>
  endToast: () => void
  /** Who wants it: what one person asked is never asked as another. */
  speaker: string | undefined
}

/** Milliseconds in which a deletion can be taken back. */
const UNDO = 5000

/** Messages that are deleted, and of which the server was not asked yet. */
const waiting = new Map<string, Deletion>()

/** Deletes a message after a time in which that can be taken back. */
export function deleteSoon({ id }: Message) {
  if (deleted.get(id)) return
  deleted.set(id, true)
  const undo = () => {
    clearTimeout(waiting.get(id)?.timer)
    if (waiting.delete(id)) deleted.set(id)
  }
  const send = async () => {
    if (!take(id)) return
    try {
      await call(deleteMessage, { params: { messageId: id } })
    } catch (error) {
      deleted.set(id)
      showToast(logFailure('Failed to delete message', error))
    }
  }
  const endToast = showToast('Message deleted', { action: { name: 'Undo', act: undo }, forMs: UNDO })
  waiting.set(id, { timer: setTimeout(send, UNDO), endToast, speaker: sessionUserId() })
  window.addEventListener('pagehide', sendDeletions)
}

/** Nobody will be here to take them back. The calls outlive the page. Answers how many could not be made. */
async function sendDeletions(): Promise<number> {
  const ids = [...waiting.keys()].filter(take)
  const sent = ids.map((id) =>
    deleteNow(id).catch((error) => {
      deleted.set(id)
      console.error('Failed to delete message:', error)
      throw error
    }),
  )
  return (await Promise.allSettled(sent)).filter(({ status }) => status === 'rejected').length
}

/** Milliseconds that a deletion has when somebody waits to sign out. */
const TIMEOUT_MS = 3000

async function deleteNow(id: string) {
  const { path, method } = deleteMessage
  const headers = { authorization: `Bearer ${await bearer()}` }
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  const { ok, status } = await fetch(path.replace(':messageId', id), { method, headers, keepalive: true, signal })
  if (!ok) throw new Error(`API Error: ${status}`)
}

onSignOut({
  async finish() {
    const failed = await sendDeletions()
    if (failed === 0) return undefined
    return failed === 1 ? 'A message could not be deleted.' : `${failed} messages could not be deleted.`
  },
})

/** Ends the time to take it back, also in a toast that somebody holds open; answers whether it is still wanted. */
function take(id: string): boolean {
  const deletion = waiting.get(id)
  clearTimeout(deletion?.timer)
  deletion?.endToast()
  waiting.delete(id)
  const isWanted = deletion !== undefined && deletion.speaker === sessionUserId()
  if (!isWanted) deleted.set(id)
  return isWanted
}
