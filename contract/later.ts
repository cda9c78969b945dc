import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { EndTime, Id, isTime, Time } from './ids.ts'
import { limits } from './limits.ts'
import { Message } from './messages.ts'
import { contentOf, typedText } from './text.ts'

/** A message that I saved for later, or a reminder with a text of mine. */
export const LaterItem = z.object({
  id: Id,
  /** Null for a text of mine. */
  messageId: z.nullable(Id),
  text: z.nullable(z.string()),
  /** Grows with each change of the item. */
  rev: z.int(),
  createdAt: Time,
  /** When I want to be reminded. */
  dueAt: z.nullable(Time),
  /** When I was reminded. */
  remindedAt: z.nullable(Time),
  doneAt: z.nullable(Time),
})
export type LaterItem = z.output<typeof LaterItem>

const params = z.object({ itemId: Id })
const Due = z.optional(z.nullable(EndTime))

/** Something in it is visible. */
const Text = typedText(limits.later.text).check(
  z.refine((text) => contentOf(text) !== '', fieldProblem('errors.empty')),
)

/** A position in the list of what is done: when it was done, and the item's id. */
const DONE_CURSOR = /^((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const isDoneCursor = (text: string) => isTime(DONE_CURSOR.exec(text)?.[1] ?? '')

export const listLater = endpoint({
  method: 'GET',
  path: '/api/later',
  summary: 'What I saved for later and my reminders, newest first, without what is done.',
  reply: z.array(LaterItem),
})

export const listDone = endpoint({
  method: 'GET',
  path: '/api/later/done',
  summary: 'What I have done, last first: a page of 50, or the one after `cursor`.',
  query: z.object({ cursor: z.optional(z.string().check(z.refine(isDoneCursor, fieldProblem('errors.notACursor')))) }),
  reply: z.object({ items: z.array(LaterItem), nextCursor: z.nullable(z.string()) }),
})

export const readLaterMessages = endpoint({
  method: 'POST',
  path: '/api/later/messages',
  summary: 'The messages that I saved for later, of these ids, without those that I can no longer read.',
  body: z.object({ messageIds: z.array(Id).check(z.maxLength(limits.later.page)) }),
  reply: z.array(Message),
})

export const addLater = endpoint({
  method: 'POST',
  path: '/api/later',
  summary:
    'Save a message for later or note a text, and be reminded at a time if `dueAt` is given. A saved message returns 200 and is open again.',
  body: z.object({
    messageId: z.optional(Id),
    text: z.optional(Text),
    dueAt: Due,
  }),
  status: 201,
  alsoStatus: 200,
  reply: LaterItem,
})

export const changeLater = endpoint({
  method: 'PATCH',
  path: '/api/later/:itemId',
  summary: 'Change the text or the time of a reminder (null: none), or mark it as done or open. A new time opens it.',
  params,
  body: z.object({
    text: z.optional(Text),
    dueAt: Due,
    isDone: z.optional(z.boolean()),
  }),
  reply: LaterItem,
})

export const removeLater = endpoint({
  method: 'DELETE',
  path: '/api/later/:itemId',
  summary: 'Remove something from what I saved for later.',
  params,
  status: 204,
  reply: z.undefined(),
})
