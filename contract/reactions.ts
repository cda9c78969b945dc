import * as z from 'zod/mini'
import { AnyEmoji } from './emoji.ts'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'
import { Reactions } from './messages.ts'

export const listReactions = endpoint({
  method: 'GET',
  path: '/api/messages/:messageId/reactions',
  summary: 'The reactions to a message and their users; I come first.',
  params: z.object({ messageId: Id }),
  reply: Reactions,
})

export const addReaction = endpoint({
  method: 'POST',
  path: '/api/messages/:messageId/reactions',
  summary: 'React to a message, with an emoji of Unicode or of the workspace (`:name:`). Repeating it has no effect.',
  params: z.object({ messageId: Id }),
  body: z.object({ emoji: AnyEmoji }),
  reply: Reactions,
})

export const removeReaction = endpoint({
  method: 'DELETE',
  path: '/api/messages/:messageId/reactions/:emoji',
  summary: 'Remove my reaction. Has no effect if there is none.',
  params: z.object({ messageId: Id, emoji: AnyEmoji }),
  reply: Reactions,
})
