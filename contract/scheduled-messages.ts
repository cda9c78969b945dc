import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { errorCodes, Problem } from './errors.ts'
import { StoredFile } from './files.ts'
import { EndTime, Id, Time } from './ids.ts'
import { AlsoToChannel, Message, notEmpty, Sent } from './messages.ts'

/** A message of mine that the server will send at a time. */
export const ScheduledMessage = z.object({
  id: Id,
  channelId: Id,
  /** The channel's name when it was scheduled, in case I lose the channel; null for direct messages. */
  channelName: z.nullable(z.string()),
  /** The parent, for a reply. */
  threadId: z.nullable(Id),
  content: z.string(),
  ...AlsoToChannel.shape,
  /** The key under which it was scheduled. */
  clientId: z.string(),
  files: z.array(StoredFile),
  /** Grows with each change. */
  rev: z.int(),
  createdAt: Time,
  sendAt: Time,
  /** Why it was not sent at its time; null if it is still to be sent. */
  failure: z.nullable(z.extend(Problem, { code: z.enum(errorCodes) })),
})
export type ScheduledMessage = z.output<typeof ScheduledMessage>

const params = z.object({ scheduledId: Id })

export const listScheduled = endpoint({
  method: 'GET',
  path: '/api/scheduled-messages',
  summary: 'My scheduled messages, the next first, with those that could not be sent.',
  reply: z.array(ScheduledMessage),
})

export const scheduleMessage = endpoint({
  method: 'POST',
  path: '/api/scheduled-messages',
  summary:
    'Schedule a message for a time within the next year. Until it is sent, a repeat with the same `clientId` returns 200 and the first one.',
  body: z
    .extend(Sent, {
      channelId: Id,
      /** The parent, if it is a reply. */
      threadId: z.optional(Id),
      ...AlsoToChannel.shape,
      sendAt: EndTime,
    })
    .check(notEmpty),
  status: 201,
  alsoStatus: 200,
  reply: ScheduledMessage,
})

export const changeScheduled = endpoint({
  method: 'PATCH',
  path: '/api/scheduled-messages/:scheduledId',
  summary: 'Change the text or the time of a scheduled message. A new time schedules one again that could not be sent.',
  params,
  body: z.object({
    content: z.optional(Sent.shape.content),
    sendAt: z.optional(EndTime),
    /** The text that was edited: 409 `edit_conflict` if it has changed since. */
    before: z.optional(Sent.shape.content),
  }),
  reply: ScheduledMessage,
})

export const cancelScheduled = endpoint({
  method: 'DELETE',
  path: '/api/scheduled-messages/:scheduledId',
  summary: 'Cancel a scheduled message. Its files are unsent ones again.',
  params,
  status: 204,
  reply: z.undefined(),
})

export const sendScheduled = endpoint({
  method: 'POST',
  path: '/api/scheduled-messages/:scheduledId/send',
  summary: 'Send a scheduled message now.',
  params,
  status: 201,
  reply: Message,
})
