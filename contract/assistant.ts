import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'

/** The placeholder of an unfinished answer: `assistant:progress` carries partial text, `message:updated` the final one. */
export const PENDING_CONTENT = '…'

export const getAssistant = endpoint({
  method: 'GET',
  path: '/api/assistant',
  summary: 'Whether a language model and a speech provider are configured.',
  reply: z.object({
    /** Without one, it answers with messages that it found. */
    model: z.boolean(),
    /** Without one, the browser's own voices are used. */
    speech: z.boolean(),
  }),
})

export const stopAnswer = endpoint({
  method: 'POST',
  path: '/api/assistant/stop',
  summary:
    'Stop an answer that the assistant is writing; the text so far stays. For the person who asked, the channel’s owner and admins. Has no effect on a finished answer.',
  body: z.object({ messageId: Id }),
  status: 204,
  reply: z.undefined(),
})
