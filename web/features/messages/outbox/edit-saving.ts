import type { QueryClient } from '@tanstack/react-query'
import { limits } from '#contract/limits'
import { editMessage, listMessages, type Message } from '#contract/messages'
import { contentOf } from '#contract/text'
import { editReply, listThread } from '#contract/threads'
import { ApiError, call } from '../../../api-client/api.ts'
import { logFailure } from '../../../api-client/failure-text.ts'
import { t } from '../../../i18n/text.ts'
import { showToast } from '../../../ui/feedback/toast.tsx'
import { insertSent } from '../sync/message-queries.ts'
import { currentDrafts } from './current-drafts.ts'
import { dropEdit, type Edit, editKey, editStates } from './open-edits.ts'

/** The number of characters beyond the limit. */
export const excessOf = (text: string) => Math.max(0, text.trim().length - limits.messageContent)

/** Whether the message was changed elsewhere since this edit began. */
export const hasConflict = ({ content, deletedAt }: Message, { original, text }: Edit) =>
  !deletedAt && content !== original.content && content !== text.trim()

export function changeEdit(message: Message, text: string) {
  const conversation = editKey(message)
  currentDrafts().set(conversation, { ...currentDrafts().get(conversation), text })
  updateState(message, { problem: undefined })
}

/** Closes the edit; changes are kept as a draft. */
export function leaveEdit(message: Message, { text, original }: Edit) {
  if (text === original.content) dropEdit(message)
  else updateState(message, { isOpen: false, problem: undefined })
}

/** Discards the edit; a toast offers to undo that. */
export function discardEdit(message: Message, { text, original }: Edit) {
  const conversation = editKey(message)
  // Kept, because another user may have signed in before the undo.
  const drafts = currentDrafts()
  const draft = drafts.get(conversation)
  dropEdit(message)
  if (text === original.content) return
  showToast(t('messages.edit.discarded'), {
    action: { name: t('ui.undo'), act: () => drafts.get(conversation).edit ?? drafts.set(conversation, draft) },
  })
}

/**
 * Saves an edit. If the message was changed meanwhile, nothing is overwritten, and the form shows both versions.
 * @param over the changed version, to overwrite it anyway
 */
export async function saveEdit(client: QueryClient, message: Message, edit: Edit, over?: Message) {
  const { id, threadId } = message
  const content = contentOf(edit.text)
  if (edit.isSaving || excessOf(content) > 0) return
  if (content === message.content && !message.deletedAt) return dropEdit(message)
  if (content === '' && message.files.length === 0) return updateState(message, { problem: t('messages.edit.empty') })
  updateState(message, { isSaving: true, problem: undefined })
  try {
    const { editedAt } = over ?? edit.original
    const input = { params: { messageId: id }, body: { content, editedAt } }
    const saved = await (threadId ? call(editReply, input) : call(editMessage, input))
    insertSent(client, saved)
    finishEdit(saved, edit.text)
  } catch (error) {
    const isConflict = error instanceof ApiError && error.code === 'edit_conflict'
    if (isConflict)
      await refetchMessage(client, message).catch((reason) => console.error('Failed to refetch message:', reason))
    const problem = logFailure(t('messages.failed.edit'), error)
    // The form may have been closed meanwhile.
    updateState(message, { isOpen: true, isSaving: false, problem })
  }
}

/** Ends a saved edit. If it was reopened and changed meanwhile, it continues from the saved version. */
function finishEdit(saved: Message, text: string) {
  const conversation = editKey(saved)
  const draft = currentDrafts().get(conversation)
  if (draft.edit && draft.text !== text) {
    currentDrafts().set(conversation, { ...draft, edit: { content: saved.content, editedAt: saved.editedAt } })
    return updateState(saved, { isSaving: false })
  }
  currentDrafts().end(conversation)
  editStates.set(saved.id)
}

function updateState({ id }: Message, change: Partial<Parameters<typeof editStates.set>[1]>) {
  const state = editStates.get(id)
  if (state) editStates.set(id, { ...state, ...change })
}

async function refetchMessage(client: QueryClient, { id, channelId, threadId, seq }: Message) {
  const read = threadId
    ? await call(listThread, { params: { threadId }, query: { before: seq + 1, limit: 1 } })
    : await call(listMessages, { params: { channelId }, query: { around: id, limit: 1 } })
  const now = read.find((message) => message.id === id)
  if (now) insertSent(client, now)
}
