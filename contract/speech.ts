import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'

export const speakMessage = endpoint({
  method: 'POST',
  path: '/api/messages/:messageId/speech',
  summary:
    'A message as audio, streamed. If the provider fails midway, the response is aborted. 409 `no_speech` if no speech provider is configured, 409 `nothing_to_say` if the message has only code, links and files.',
  params: z.object({ messageId: Id }),
  gives: 'audio/mpeg',
  reply: z.file(),
})
