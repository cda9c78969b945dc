import type { Message } from '#contract/messages'
import { keyedStore } from '../../../ui/keyed-store.ts'
import { currentDrafts, useDraft } from './current-drafts.ts'
import type { Draft } from './draft.ts'

/** The state of an edit form in this tab. */
interface EditState {
  isOpen: boolean
  /** A thread's parent has a row in its channel and one in its thread: only one of them shows the form. */
  where: 'channel' | 'thread'
  isSaving?: boolean
  /** Why it could not be saved, in a sentence. */
  problem?: string | undefined
}

/** My edit of a message: a draft that lasts until it is saved or discarded. */
export interface Edit extends Partial<EditState> {
  text: string
  /** The message as it was when the edit began. */
  original: NonNullable<Draft['edit']>
}

export const editStates = keyedStore<EditState>()
/** Ids of messages whose edit form has just been opened: it takes the focus once. */
export const justOpened = new Set<string>()

/** The conversation key of an edit's draft. */
export const editKey = ({ id }: Pick<Message, 'id'>) => `${EDIT}${id}`
const EDIT = 'edit-'

/** The id of the message, from an edit's key. */
export const editedMessage = (key: string) => key.slice(EDIT.length)

export function useEdit(message: Message): Edit | undefined {
  const state = editStates.useAt(message.id)
  const { text, edit: original } = useDraft(editKey(message))
  return original && { ...state, text, original }
}

/** Opens the edit form in a message's row, with the unsaved text if there is one. */
export function startEdit(
  message: Message,
  { kind: where, of }: { kind: EditState['where']; of?: string | undefined },
) {
  const { id, channelId, threadId, content, editedAt } = message
  const conversation = editKey(message)
  if (!currentDrafts().get(conversation).edit)
    currentDrafts().show(conversation, {
      text: content,
      edit: { content, editedAt },
      to: { channelId, threadId, ...(of && { of }) },
    })
  justOpened.add(id)
  editStates.set(id, { isOpen: true, where })
}

/** Ends an edit and deletes its draft. */
export function dropEdit(message: Pick<Message, 'id'>) {
  currentDrafts().set(editKey(message), { text: '' })
  editStates.set(message.id)
}
