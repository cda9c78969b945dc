import type { QueryClient } from '@tanstack/react-query'
import { limits } from '#contract/limits'
import { editMessage, listMessages, type Message } from '#contract/messages'
import { contentOf } from '#contract/text'
import { editReply, listThread } from '#contract/threads'
import { ApiError, call } from '../../../api-client/api.ts'
import { logFailure } from '../../../api-client/failure-text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { insertSent } from '../sync/message-queries.ts'
import { draftOf, endDraft, setDraft } from './drafts.ts'
import { dropEdit, type Edit, editBoxOf, stands } from './open-edits.ts'

/** How many characters a text has too many. */
export const excessOf = (text: string) => Math.max(0, text.trim().length - limits.messageContent)

/** Whether the message was changed elsewhere after this edit of it began. */
export const hasConflict = ({ content, deletedAt }: Message, { began, text }: Edit) =>
  !deletedAt && content !== began.content && content !== text.trim()

export function changeEdit(message: Message, text: string) {
  const box = editBoxOf(message)
  setDraft(box, { ...draftOf(box), text })
  note(message, { problem: undefined })
}

/** Leaves the edit; what was changed is kept. */
export function leaveEdit(message: Message, { text, began }: Edit) {
  if (text === began.content) dropEdit(message)
  else note(message, { isOpen: false, problem: undefined })
}

/** Throws the edit away, unless that is taken back. */
export function discardEdit(message: Message, { text, began }: Edit) {
  const box = editBoxOf(message)
  const draft = draftOf(box)
  dropEdit(message)
  if (text === began.content) return
  showToast('Edit discarded', { action: { name: 'Undo', act: () => draftOf(box).edit ?? setDraft(box, draft) } })
}

/**
 * Saves an edit. Where the message was changed meanwhile, nothing is overwritten: the box shows both.
 * @param over the change that is to be overwritten all the same
 */
export async function saveEdit(client: QueryClient, message: Message, edit: Edit, over?: Message) {
  const { id, threadId } = message
  const content = contentOf(edit.text)
  if (edit.isSaving || excessOf(content) > 0) return
  if (content === message.content && !message.deletedAt) return dropEdit(message)
  if (content === '' && message.files.length === 0)
    return note(message, { problem: 'A message cannot be empty. Delete it instead' })
  note(message, { isSaving: true, problem: undefined })
  try {
    const { editedAt } = over ?? edit.began
    const input = { params: { messageId: id }, body: { content, editedAt } }
    const saved = await (threadId ? call(editReply, input) : call(editMessage, input))
    insertSent(client, saved)
    endSaved(saved, edit.text)
  } catch (error) {
    const isConflict = error instanceof ApiError && error.code === 'edit_conflict'
    if (isConflict) await readAgain(client, message).catch((reason) => console.error('Failed to read:', reason))
    const problem = logFailure('Failed to edit message', error)
    // It may have been left meanwhile.
    note(message, { isOpen: true, isSaving: false, problem })
  }
}

/** Ends an edit that was saved; where it was opened again and written on meanwhile, it goes on from what was saved. */
function endSaved(saved: Message, text: string) {
  const box = editBoxOf(saved)
  const draft = draftOf(box)
  if (draft.edit && draft.text !== text) {
    setDraft(box, { ...draft, edit: { content: saved.content, editedAt: saved.editedAt } })
    return note(saved, { isSaving: false })
  }
  endDraft(box)
  stands.set(saved.id)
}

function note({ id }: Message, change: Partial<Parameters<typeof stands.set>[1]>) {
  const stand = stands.get(id)
  if (stand) stands.set(id, { ...stand, ...change })
}

/** Asks how a message stands by now. */
async function readAgain(client: QueryClient, { id, channelId, threadId, seq }: Message) {
  const read = threadId
    ? await call(listThread, { params: { threadId }, query: { before: seq + 1, limit: 1 } })
    : await call(listMessages, { params: { channelId }, query: { around: id, limit: 1 } })
  const now = read.find((it) => it.id === id)
  if (now) insertSent(client, now)
}
