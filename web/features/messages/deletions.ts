import { deleteMessage, type Message } from '#contract/messages'
import { call } from '../../api.ts'
import { bearer, currentSpeaker } from '../../session.ts'
import { showToast } from '../../ui/toast.tsx'
import { failure } from './failures.ts'
import { keyedStore } from './keyed-store.ts'

interface Deletion {
  timer: ReturnType<typeof setTimeout>
  endToast: () => void
  /** Who wants it: what one person asked is never asked as another. */
  speaker: string | undefined
}

/** Milliseconds in which a deletion can be taken back. */
const UNDO = 5000

/** Messages that I deleted, also when the server knows it. */
const deleted = keyedStore<true>()
/** Of them those that the server was not asked for yet. */
const waiting = new Map<string, Deletion>()

/** Whether a message is deleted, or will be unless I take it back. */
export const useIsDeleted = ({ id, deletedAt }: Message) => deleted.useAt(id) === true || deletedAt !== null

export const isDeleted = ({ id, deletedAt }: Message) => deleted.get(id) === true || deletedAt !== null

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
      showToast(failure('Failed to delete message', error))
    }
  }
  const endToast = showToast('Message deleted', { action: { name: 'Undo', act: undo }, forMs: UNDO })
  waiting.set(id, { timer: setTimeout(send, UNDO), endToast, speaker: currentSpeaker() })
  window.addEventListener('pagehide', sendDeletions)
}

/** Nobody will be here to take them back. The calls outlive the page. */
export function sendDeletions() {
  for (const id of [...waiting.keys()]) {
    if (take(id)) deleteNow(id).catch((error) => console.error('Failed to delete message:', error))
  }
}

async function deleteNow(id: string) {
  const { path, method } = deleteMessage
  const headers = { authorization: `Bearer ${await bearer()}` }
  const { ok, status } = await fetch(path.replace(':messageId', id), { method, headers, keepalive: true })
  if (!ok) throw new Error(`API Error: ${status}`)
}

/** Ends the time to take it back, also in a toast that somebody holds open; answers whether it is still wanted. */
function take(id: string): boolean {
  const deletion = waiting.get(id)
  clearTimeout(deletion?.timer)
  deletion?.endToast()
  waiting.delete(id)
  const isWanted = deletion !== undefined && deletion.speaker === currentSpeaker()
  if (!isWanted) deleted.set(id)
  return isWanted
}
