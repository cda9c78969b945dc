import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, numeral, Time, UserId } from './ids.ts'
import { limits } from './limits.ts'
import { typedText } from './text.ts'
import { User } from './users.ts'

/**
 * A message as every reader of its channel sees it: nothing in it depends on who asks.
 * `seq` is its place in the channel, `rev` the channel's revision at its last change.
 */
export const Message = z.object({
  id: Id,
  channelId: Id,
  userId: UserId,
  user: User,
  content: z.string(),
  /** The key the sender made before sending; a repeat of the same key is the same message. */
  clientId: z.nullable(z.string()),
  seq: z.int(),
  rev: z.int(),
  createdAt: Time,
  updatedAt: Time,
})
export type Message = z.output<typeof Message>

export const listMessages = endpoint({
  method: 'GET',
  path: '/api/messages/channel/:channelId',
  summary: 'A page of messages, oldest first; the newest page unless `before` or `after` say otherwise.',
  params: z.object({ channelId: Id }),
  query: z.object({
    limit: z._default(numeral(1, limits.page.max), limits.page.default),
    before: z.optional(numeral(1)),
    after: z.optional(numeral(0)),
  }),
  reply: z.array(Message),
  /** The channel's revision that the page shows. */
  headers: z.object({ 'parley-rev': numeral(0) }),
})

export const sendMessage = endpoint({
  method: 'POST',
  path: '/api/messages',
  summary: 'Send a message. A repeat with the same `clientId` answers 200 and the first message.',
  body: z.object({
    channelId: Id,
    content: typedText(limits.messageContent),
    clientId: z.optional(typedText(limits.clientId)),
  }),
  status: 201,
  reply: Message,
})
