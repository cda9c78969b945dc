import type { QueryClient } from '@tanstack/react-query'
import { limits } from '#contract/limits'
import { editMessage, type Message } from '#contract/messages'
import { editReply } from '#contract/threads'
import { call } from '../../api.ts'
import { failure } from './failures.ts'
import { keyedStore } from './keyed-store.ts'
import type { Place } from './message-place.tsx'
import { addOwn } from './message-queries.ts'

/** What I am making of a message of mine; kept when I leave it unfinished, until it is saved or thrown away. */
export interface Edit {
  text: string
  isOpen: boolean
  /** Where the box stands: a parent stands in its channel and in its thread. */
  where: Place['kind']
  isSaving: boolean
  /** Why it could not be saved, in a sentence. */
  problem?: string | undefined
}

const edits = keyedStore<Edit>()

export const useEdit = ({ id }: Message) => edits.useAt(id)

/** Opens the box in the row of a message, with what stood in it last. */
export const startEdit = ({ id, content }: Message, where: Edit['where']) =>
  edits.set(id, { text: content, isSaving: false, ...edits.get(id), isOpen: true, where })

export const changeEdit = ({ id }: Message, edit: Edit, text: string) =>
  edits.set(id, { ...edit, text, problem: undefined })

/** Leaves the edit; what was changed is kept. */
export const leaveEdit = ({ id, content }: Message, edit: Edit) =>
  edits.set(id, edit.text === content ? undefined : { ...edit, isOpen: false, problem: undefined })

export const dropEdit = ({ id }: Message) => edits.set(id)

/** How many characters a text has too many. */
export const excessOf = (text: string) => Math.max(0, text.trim().length - limits.messageContent)

export async function saveEdit(client: QueryClient, message: Message, edit: Edit) {
  const { id, threadId } = message
  const content = edit.text.trim()
  if (edit.isSaving || excessOf(content) > 0) return
  if (content === message.content && !message.deletedAt) return dropEdit(message)
  if (content === '' && message.files.length === 0)
    return edits.set(id, { ...edit, problem: 'A message cannot be empty. Delete it instead' })
  edits.set(id, { ...edit, isSaving: true, problem: undefined })
  try {
    const input = { params: { messageId: id }, body: { content } }
    addOwn(client, await (threadId ? call(editReply, input) : call(editMessage, input)))
    dropEdit(message)
  } catch (error) {
    // It may have been left meanwhile.
    const now = edits.get(id) ?? edit
    edits.set(id, { ...now, isOpen: true, isSaving: false, problem: failure('Failed to edit message', error) })
  }
}
