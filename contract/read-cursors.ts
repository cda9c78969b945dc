import * as z from 'zod/mini'
import { CountedCursor } from './channels.ts'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { Id } from './ids.ts'
import { limits } from './limits.ts'
import { MovedThread, ThreadCursor } from './threads.ts'

/**
 * How far I have read. `unread` marks everything from `seq` on as unread. With a `readVersion`, the read is ignored if something
 * has been marked unread since that version.
 */
const body = z.object({
  seq: z.int().check(z.gte(0)),
  unread: z.optional(z.boolean()),
  readVersion: z.optional(z.int()),
})

export const readChannel = endpoint({
  method: 'PUT',
  path: '/api/channels/:channelId/read',
  summary: 'Set how far I have read a channel; with `unread`, mark it unread from there.',
  params: z.object({ channelId: Id }),
  body,
  reply: CountedCursor,
})

export const readThread = endpoint({
  method: 'PUT',
  path: '/api/threads/:threadId/read',
  summary: 'Set how far I have read a thread I follow; with `unread`, mark it unread from there.',
  params: z.object({ threadId: Id }),
  body,
  reply: ThreadCursor,
})

export const countNotifications = endpoint({
  method: 'GET',
  path: '/api/channels/unread',
  summary: 'How many notifications wait for me: unread direct messages, mentions elsewhere, and due reminders.',
  reply: z.object({ notifications: z.int() }),
})

/** A channel's cursor after it was marked as read, and its position `before`. */
const MovedCursor = z.extend(CountedCursor, { channelId: Id, before: z.int() })
export type MovedCursor = z.output<typeof MovedCursor>

const Moved = z.object({ channels: z.array(MovedCursor), threads: z.array(MovedThread) })

/** A cursor's position `before` a change, and after it. */
const movement = { before: z.int().check(z.gte(0)), lastReadSeq: z.int(), readVersion: z.int() }

export const readAllChannels = endpoint({
  method: 'PUT',
  path: '/api/channels/read',
  summary:
    'Mark everything as read. Returns the channels and followed threads that were unread, at most 5,000 threads at once. `unreadChannels` undoes it.',
  reply: Moved,
})

export const unreadChannels = endpoint({
  method: 'PUT',
  path: '/api/channels/unread',
  summary: 'Undo marking everything as read, except where I have read or marked something since.',
  maxBodyBytes: limits.largeBody,
  body: z.object({
    /** As returned by `readAllChannels`. */
    channels: z
      .array(z.object({ channelId: Id, ...movement }))
      .check(z.maxLength(limits.unreadAtOnce, fieldProblem('errors.tooManyChannels', { max: limits.unreadAtOnce }))),
    threads: z._default(
      z
        .array(z.object({ threadId: Id, ...movement }))
        .check(z.maxLength(limits.unreadAtOnce, fieldProblem('errors.tooManyThreads', { max: limits.unreadAtOnce }))),
      [],
    ),
  }),
  reply: Moved,
})
