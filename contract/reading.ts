import * as z from 'zod/mini'
import { CountedCursor } from './channels.ts'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'
import { limits } from './limits.ts'
import { ThreadCursor } from './threads.ts'

/**
 * How far I have read. `unread` marks what begins at `seq` unread. With the `readVersion` that was held, a read is
 * ignored if something was marked unread since.
 */
const body = z.object({
  seq: z.int().check(z.gte(0)),
  unread: z.optional(z.boolean()),
  readVersion: z.optional(z.int()),
})

export const readChannel = endpoint({
  method: 'PUT',
  path: '/api/channels/:channelId/read',
  summary: 'Say how far I have read a channel; or, with `unread`, from where I have not.',
  params: z.object({ channelId: Id }),
  body,
  reply: CountedCursor,
})

export const readThread = endpoint({
  method: 'PUT',
  path: '/api/threads/:threadId/read',
  summary: 'Say how far I have read a thread that I follow; or, with `unread`, from where I have not.',
  params: z.object({ threadId: Id }),
  body,
  reply: ThreadCursor,
})

/** How far a channel is read after it was moved together with others, and how far it was `before`. */
const MovedCursor = z.extend(CountedCursor, { channelId: Id, before: z.int() })
export type MovedCursor = z.output<typeof MovedCursor>
const MovedThread = z.extend(ThreadCursor, { channelId: Id, before: z.int() })
export type MovedThread = z.output<typeof MovedThread>

const Moved = z.object({ channels: z.array(MovedCursor), threads: z.array(MovedThread) })

/** How far something was read `before` it was moved, and where that left it. */
const movement = { before: z.int().check(z.gte(0)), lastReadSeq: z.int(), readVersion: z.int() }

export const readAllChannels = endpoint({
  method: 'PUT',
  path: '/api/channels/read',
  summary:
    'Say that I have read everything. Answers the channels, and the threads that I follow, that were unread; of threads no more than 5,000 at once. `unreadChannels` takes it back.',
  reply: Moved,
})

export const unreadChannels = endpoint({
  method: 'PUT',
  path: '/api/channels/unread',
  summary: 'Take back that I have read everything, where I have read and marked nothing since.',
  body: z.object({
    /** As `readAllChannels` answered them. */
    channels: z
      .array(z.object({ channelId: Id, ...movement }))
      .check(z.maxLength(limits.unreadAtOnce, `must name at most ${limits.unreadAtOnce} channels`)),
    threads: z._default(
      z
        .array(z.object({ threadId: Id, ...movement }))
        .check(z.maxLength(limits.unreadAtOnce, `must name at most ${limits.unreadAtOnce} threads`)),
      [],
    ),
  }),
  reply: Moved,
})
