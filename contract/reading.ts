import * as z from 'zod/mini'
import { ReadCursor } from './channels.ts'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'
import { ThreadCursor } from './threads.ts'

/**
 * How far I have read. `unread` marks what begins at `seq` unread. With the `readVersion` that was held, a read is
 * ignored if something was marked unread since.
 */
const body = z.object({
  seq: z.int().check(z.gte(0)),
  unread: z.optional(z.boolean()),
  readVersion: z.optional(z.int()),
})

export const readChannel = endpoint({
  method: 'PUT',
  path: '/api/channels/:channelId/read',
  summary: 'Say how far I have read a channel; or, with `unread`, from where I have not.',
  params: z.object({ channelId: Id }),
  body,
  reply: ReadCursor,
})

export const readThread = endpoint({
  method: 'PUT',
  path: '/api/threads/:threadId/read',
  summary: 'Say how far I have read a thread that I follow; or, with `unread`, from where I have not.',
  params: z.object({ threadId: Id }),
  body,
  reply: ThreadCursor,
})
