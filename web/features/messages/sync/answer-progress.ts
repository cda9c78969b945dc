import { BEGUN } from '#contract/assistant'
import type { Payload } from '#contract/events'
import { ASSISTANT } from '#contract/ids'
import type { Message } from '#contract/messages'
import { keyedStore } from '../../../ui/keyed-store.ts'

/** How far answers are that the assistant is writing, by the message's id. */
const growing = keyedStore<Pick<Payload<'assistant:progress'>, 'content' | 'askedBy'>>()

export const hearProgress = ({ messageId, content, askedBy }: Payload<'assistant:progress'>) =>
  growing.set(messageId, { content, askedBy })

/** What was heard of it is in the message by now, or no more than its beginning is left. Answers whether it grew here. */
export function endGrowing({ id }: Pick<Message, 'id'>) {
  const grew = growing.get(id) !== undefined
  growing.set(id)
  return grew
}

/** Whether the assistant is still writing it. */
export const isGrowing = ({ userId, content, deletedAt }: Message) =>
  userId === ASSISTANT && content === BEGUN && deletedAt === null

/** What was heard of an answer so far. */
export const useGrowth = ({ id }: Message) => growing.useAt(id)
