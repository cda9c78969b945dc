import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id, Time, UserId } from './ids.ts'
import { limits } from './limits.ts'
import { seenText } from './text.ts'
import { User } from './users.ts'

/** A message that somebody reported. */
export const Report = z.object({
  id: Id,
  createdAt: Time,
  reporter: User,
  /** Why, in the reporter's words; may be empty. */
  reason: z.string(),
  author: User,
  /** Its text when it was reported. */
  content: z.string(),
  isDeleted: z.boolean(),
  messageId: Id,
  threadId: z.nullable(Id),
  /** Null if I cannot read the channel; only the reported text is shown then. */
  channel: z.nullable(z.object({ id: Id, name: z.string() })),
})
export type Report = z.output<typeof Report>

export const reportMessage = endpoint({
  method: 'POST',
  path: '/api/messages/:messageId/reports',
  summary: 'Report a message of somebody else to the owner and the admins. A repeat changes nothing.',
  params: z.object({ messageId: Id }),
  body: z.object({ reason: z._default(seenText(limits.reportReason, 0), '') }),
  status: 204,
  reply: z.undefined(),
})

export const listReports = endpoint({
  method: 'GET',
  path: '/api/reports',
  summary: 'Open reports, oldest first, at most 100. For the owner and admins.',
  reply: z.array(Report),
})

export const closeReport = endpoint({
  method: 'POST',
  path: '/api/reports/:reportId/close',
  summary: 'Dismiss a report, or delete its message, which closes all reports of it. For the owner and admins.',
  params: z.object({ reportId: Id }),
  body: z.object({ deletesMessage: z._default(z.boolean(), false) }),
  status: 204,
  reply: z.undefined(),
})

export const mutePerson = endpoint({
  method: 'PUT',
  path: '/api/users/:userId/mute',
  summary:
    'Mute a user for some hours: they cannot write, edit, react or upload, in direct messages neither. For the owner and admins.',
  params: z.object({ userId: UserId }),
  body: z.object({ hours: z.int().check(z.gte(1), z.lte(limits.muteHours)) }),
  status: 204,
  reply: z.undefined(),
})

export const unmutePerson = endpoint({
  method: 'DELETE',
  path: '/api/users/:userId/mute',
  summary: 'End a mute before its time. For the owner and admins.',
  params: z.object({ userId: UserId }),
  status: 204,
  reply: z.undefined(),
})

export const setGuestEnd = endpoint({
  method: 'PUT',
  path: '/api/users/:userId/guest-end',
  summary:
    'Let a guest stay for a number of days from now, and back in if their time has ended. For the owner and admins.',
  params: z.object({ userId: UserId }),
  body: z.object({ days: z.int().check(z.gte(1), z.lte(limits.guest.days.max)) }),
  status: 204,
  reply: z.undefined(),
})

export const listBlocks = endpoint({
  method: 'GET',
  path: '/api/blocks',
  summary: 'Whose direct messages I have blocked.',
  reply: z.array(User),
})

export const blockPerson = endpoint({
  method: 'PUT',
  path: '/api/blocks/:userId',
  summary: 'Block direct messages from a user, between the two of us only. They are not told.',
  params: z.object({ userId: UserId }),
  status: 204,
  reply: z.undefined(),
})

export const unblockPerson = endpoint({
  method: 'DELETE',
  path: '/api/blocks/:userId',
  summary: 'Allow direct messages from a user again.',
  params: z.object({ userId: UserId }),
  status: 204,
  reply: z.undefined(),
})
