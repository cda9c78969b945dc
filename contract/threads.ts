import * as z from 'zod/mini'
import { Pagination, pageQuery, ReadCursor } from './channels.ts'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { Id, isTime, numeral } from './ids.ts'
import { limits } from './limits.ts'
import { AlsoToChannel, Message, notEmpty, Rewritten, Sent } from './messages.ts'

/** My state of a thread. Nothing counts as unread in a thread that I don't follow. */
export const ThreadCursor = z.extend(ReadCursor, { threadId: Id, isFollowing: z.boolean() })
export type ThreadCursor = z.output<typeof ThreadCursor>

const params = z.object({ threadId: Id })

/** A position in the list of threads: the time of the last reply, empty if there is none, and the thread's id. */
const THREAD_CURSOR = /^((?!0000)\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z)?_[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const isThreadCursor = (text: string) => {
  const found = THREAD_CURSOR.exec(text)
  return found !== null && (found[1] === undefined || isTime(found[1]))
}

export const listThread = endpoint({
  method: 'GET',
  path: '/api/threads/:threadId/messages',
  summary:
    'A thread: its parent, then a page of its replies, oldest first. The newest page, or the one before `before`.',
  params,
  query: z.object({
    limit: z._default(numeral(1, limits.page.max), limits.page.default),
    before: z.optional(numeral(1)),
  }),
  reply: z.array(Message),
  /** The channel's revision of this page. */
  headers: z.object({ 'parley-rev': numeral(0) }),
})

export const sendReply = endpoint({
  method: 'POST',
  path: '/api/threads/messages',
  summary:
    'Reply in the thread of a top-level message. A repeat with the same `clientId` returns 200 and the first reply.',
  body: z.extend(Sent, { parentMessageId: Id, ...AlsoToChannel.shape }).check(notEmpty),
  status: 201,
  alsoStatus: 200,
  reply: Message,
})

export const editReply = endpoint({
  method: 'PUT',
  path: '/api/threads/messages/:messageId',
  summary: 'Edit one of my replies.',
  params: z.object({ messageId: Id }),
  body: Rewritten,
  reply: Message,
})

const FollowedThread = z.extend(ThreadCursor, {
  parent: Message,
  /** Oldest first and consecutive: starts at a reply that was not deleted, and includes deleted ones after it. */
  latestReplies: z.array(Message),
  /** The channel's revision of `parent` and `latestReplies`, if those were requested. */
  rev: z.optional(z.int()),
})
export type FollowedThread = z.output<typeof FollowedThread>

export const listThreads = endpoint({
  method: 'GET',
  path: '/api/threads',
  summary:
    'The threads I follow, latest reply first, by `page` or, without gaps while replies arrive, by `cursor`. With `latestReplies`, a page of more than 256 KB ends early; only `nextCursor` leads on from there.',
  query: z.object({
    ...pageQuery,
    /** The `nextCursor` of the page before this one, instead of `page`. */
    cursor: z.optional(z.string().check(z.refine(isThreadCursor, fieldProblem('errors.notACursor')))),
    /** 'true': only threads with unread replies. */
    unread: z._default(z.enum(['true', 'false'], fieldProblem('errors.notOneOf', { options: 'true, false' })), 'false'),
    /** How many of each thread's latest replies are returned. */
    latestReplies: z._default(numeral(0, limits.latestReplies), 0),
  }),
  reply: z.object({
    threads: z.array(FollowedThread),
    /** `nextCursor` is null on the last page. */
    pagination: z.extend(Pagination, { nextCursor: z.nullable(z.string()) }),
  }),
})

/** A thread's cursor after it was marked as read, and its position `before`. */
export const MovedThread = z.extend(ThreadCursor, { channelId: Id, before: z.int() })
export type MovedThread = z.output<typeof MovedThread>

export const readAllThreads = endpoint({
  method: 'PUT',
  path: '/api/threads/read',
  summary:
    'Mark all threads I follow as read. Returns those that were unread, at most 5,000 at once. `unreadChannels` undoes it.',
  reply: z.object({ threads: z.array(MovedThread) }),
})

export const getThreadCursor = endpoint({
  method: 'GET',
  path: '/api/threads/:threadId/cursor',
  summary: 'How far I have read a thread, and whether I follow it.',
  params,
  reply: ThreadCursor,
})

export const followThread = endpoint({
  method: 'PUT',
  path: '/api/threads/:threadId/follow',
  summary: 'Follow a thread; existing replies count as read.',
  params,
  reply: ThreadCursor,
})

export const unfollowThread = endpoint({
  method: 'DELETE',
  path: '/api/threads/:threadId/follow',
  summary: 'Unfollow a thread.',
  params,
  reply: ThreadCursor,
})
