import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'
import { Message } from './messages.ts'

export const listPins = endpoint({
  method: 'GET',
  path: '/api/channels/:channelId/pins',
  summary: 'The pinned messages and replies of a channel, last pinned first.',
  params: z.object({ channelId: Id }),
  reply: z.array(Message),
})

export const pinMessage = endpoint({
  method: 'PUT',
  path: '/api/messages/:messageId/pin',
  summary: 'Pin a message or reply for everyone in its channel. Repeating it has no effect.',
  params: z.object({ messageId: Id }),
  reply: Message,
})

export const unpinMessage = endpoint({
  method: 'DELETE',
  path: '/api/messages/:messageId/pin',
  summary: 'Unpin a message, whoever pinned it. Has no effect if it is not pinned.',
  params: z.object({ messageId: Id }),
  reply: Message,
})
