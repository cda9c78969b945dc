import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'

export const speakMessage = endpoint({
  method: 'POST',
  path: '/api/messages/:messageId/speech',
  summary:
    'A message as sound, as it is made. Where it is cut off, the answer fails instead of ending. 409 `no_speech` where the server has no provider that speaks, 409 `nothing_to_say` for a message of code, links and files alone.',
  params: z.object({ messageId: Id }),
  gives: 'audio/mpeg',
  reply: z.file(),
})
