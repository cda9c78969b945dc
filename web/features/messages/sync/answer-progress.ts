import { PENDING_CONTENT } from '#contract/assistant'
import type { Payload } from '#contract/events'
import { ASSISTANT } from '#contract/ids'
import type { Message } from '#contract/messages'
import { keyedStore } from '../../../ui/keyed-store.ts'

/** Partial text of the answers that the assistant is writing, by message id. */
const progress = keyedStore<Pick<Payload<'assistant:progress'>, 'content' | 'askedBy'>>()

export const applyProgress = ({ messageId, content, askedBy }: Payload<'assistant:progress'>) =>
  progress.set(messageId, { content, askedBy })

/** Call when an answer is complete or was stopped. Returns whether this page showed it streaming. */
export function endProgress({ id }: Pick<Message, 'id'>) {
  const wasStreaming = progress.get(id) !== undefined
  progress.set(id)
  return wasStreaming
}

/** Whether the assistant is still writing a message. */
export const isStreaming = ({ userId, content, deletedAt }: Message) =>
  userId === ASSISTANT && content === PENDING_CONTENT && deletedAt === null

/** The partial text of an answer, and who asked for it. */
export const useAnswerProgress = ({ id }: Message) => progress.useAt(id)
