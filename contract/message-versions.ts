import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, numeral, Time } from './ids.ts'

const MAX_NUMBER = 2 ** 31 - 1

/** A text that a message has, or had before an edit. */
export const MessageVersion = z.object({
  /** Grows with time. Numbers are missing where versions were dropped. */
  number: z.int(),
  content: z.string(),
  /** When it was written. */
  at: Time,
})
export type MessageVersion = z.output<typeof MessageVersion>

export const listVersions = endpoint({
  method: 'GET',
  path: '/api/messages/:messageId/versions',
  summary:
    'The texts that a message has had, newest first, beginning with the current one. 404 while the workspace keeps no edit history.',
  params: z.object({ messageId: Id }),
  query: z.object({
    /** `next` of the previous page. */
    before: z.optional(numeral(1, MAX_NUMBER)),
  }),
  reply: z.object({ versions: z.array(MessageVersion), next: z.nullable(z.int()) }),
})

export const setEditHistory = endpoint({
  method: 'PUT',
  path: '/api/workspace/edit-history',
  summary:
    'Set whether earlier texts of edited messages are kept and shown. While they are not, those that were kept are hidden. For the owner and admins.',
  body: z.object({ isOn: z.boolean() }),
  reply: z.object({ isOn: z.boolean() }),
})
