import * as z from 'zod/mini'
import { Pagination, pageQuery, ReadCursor } from './channels.ts'
import { endpoint } from './endpoint.ts'
import { Id, numeral } from './ids.ts'
import { limits } from './limits.ts'
import { Message, notEmpty, Rewritten, Sent } from './messages.ts'

/** My state of a thread; without following it, nothing counts as unread. */
export const ThreadCursor = z.extend(ReadCursor, { threadId: Id, isFollowing: z.boolean() })
export type ThreadCursor = z.output<typeof ThreadCursor>

const params = z.object({ threadId: Id })

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
  body: z.extend(Sent, { parentMessageId: Id }).check(notEmpty),
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

export const listThreads = endpoint({
  method: 'GET',
  path: '/api/threads',
  summary: 'The threads I follow, latest reply first.',
  query: z.object(pageQuery),
  reply: z.object({ threads: z.array(z.extend(ThreadCursor, { parent: Message })), pagination: Pagination }),
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
