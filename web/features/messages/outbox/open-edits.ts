import type { Message } from '#contract/messages'
import { keyedStore } from '../../../ui/keyed-store.ts'
import { type Draft, draftOf, setDraft, showDraft, useDraft } from './drafts.ts'

/** The state of an edit's box in this tab. */
interface Stand {
  isOpen: boolean
  /** A thread's parent has a row in its channel and one in its thread: only one of them shows the box. */
  where: 'channel' | 'thread'
  isSaving?: boolean
  /** Why it could not be saved, in a sentence. */
  problem?: string | undefined
}

/** What I am making of a message of mine: a draft, kept until it is saved or thrown away. */
export interface Edit extends Partial<Stand> {
  text: string
  /** The message as it was when the edit began. */
  began: NonNullable<Draft['edit']>
}

export const stands = keyedStore<Stand>()
/** Edits that somebody has just opened: their boxes take the focus, once. */
export const justOpened = new Set<string>()

/** Where the text of an edit is kept. */
export const editBoxOf = ({ id }: Pick<Message, 'id'>) => `edit-${id}`

export function useEdit(message: Message): Edit | undefined {
  const stand = stands.useAt(message.id)
  const { text, edit: began } = useDraft(editBoxOf(message))
  return began && { ...stand, text, began }
}

/** Opens the box in the row of a message, with what stood in it last. */
export function startEdit(message: Message, { kind: where, of }: { kind: Stand['where']; of?: string | undefined }) {
  const { id, channelId, threadId, content, editedAt } = message
  const box = editBoxOf(message)
  if (!draftOf(box).edit)
    showDraft(box, { text: content, edit: { content, editedAt }, to: { channelId, threadId, ...(of && { of }) } })
  justOpened.add(id)
  stands.set(id, { isOpen: true, where })
}

/** Ends an edit: what was typed is no draft any more. */
export function dropEdit(message: Pick<Message, 'id'>) {
  setDraft(editBoxOf(message), { text: '' })
  stands.set(message.id)
}
