import * as z from 'zod/mini'
import { Emoji } from './emoji.ts'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'
import { Reactions } from './messages.ts'

export const listReactions = endpoint({
  method: 'GET',
  path: '/api/messages/:messageId/reactions',
  summary: 'Who reacted to a message with what; where I did, I come first.',
  params: z.object({ messageId: Id }),
  reply: Reactions,
})

export const addReaction = endpoint({
  method: 'POST',
  path: '/api/messages/:messageId/reactions',
  summary: 'React to a message; once more changes nothing.',
  params: z.object({ messageId: Id }),
  body: z.object({ emoji: Emoji }),
  reply: Reactions,
})

export const removeReaction = endpoint({
  method: 'DELETE',
  path: '/api/messages/:messageId/reactions/:emoji',
  summary: 'Take a reaction of mine back; where there is none nothing changes.',
  params: z.object({ messageId: Id, emoji: Emoji }),
  reply: Reactions,
})
