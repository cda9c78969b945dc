import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'

/** What stands in an answer that has only begun. What grows is told by `assistant:progress`, the end by `message:updated`. */
export const PENDING_CONTENT = '…'

export const getAssistant = endpoint({
  method: 'GET',
  path: '/api/assistant',
  summary: 'What the assistant has here: a model that writes its answers, and a provider that speaks.',
  reply: z.object({
    /** Without one it answers with messages that it found. */
    model: z.boolean(),
    /** Without one the browser's own voices speak. */
    speech: z.boolean(),
  }),
})

export const stopAnswer = endpoint({
  method: 'POST',
  path: '/api/assistant/stop',
  summary:
    'End an answer of the assistant that is under way; what it has said so far stays. For who asked, the channel’s owner and admins. Of one that has ended nothing changes.',
  body: z.object({ messageId: Id }),
  status: 204,
  reply: z.undefined(),
})
