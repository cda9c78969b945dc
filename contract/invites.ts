import * as z from 'zod/mini'
import { Email } from './email.ts'
import { endpoint } from './endpoint.ts'
import { fieldProblem } from './errors.ts'
import { Id, Time } from './ids.ts'
import { limits } from './limits.ts'
import { User } from './users.ts'

/** A valid invite link, without its code. */
export const Invite = z.object({
  id: Id,
  createdBy: User,
  createdAt: Time,
  expiresAt: Time,
  maxUses: z.int(),
  uses: z.int(),
  /** For guests: when their access ends, and the channels they see, by name. Null and empty for members. */
  guestUntil: z.nullable(Time),
  channels: z.array(z.object({ id: Id, name: z.string() })),
  /** The only address that may use it; null if anybody with the link may, or if I may not see addresses. */
  email: z.nullable(z.string()),
  /** The state of the mail: queued, accepted or refused by the mail server. Null for a link. */
  mail: z.nullable(z.enum(['waiting', 'sent', 'refused'])),
  mailedAt: z.nullable(Time),
})
export type Invite = z.output<typeof Invite>

const { days, uses, mails } = limits.invite
const { guest } = limits

/** For guests: the channels they see, all of which I must be a member of, and after how many days their access ends. */
const Guests = z.object({
  channelIds: z.array(Id).check(z.minLength(1), z.maxLength(guest.channels)),
  days: z.int().check(z.gte(1), z.lte(guest.days.max)),
})
const Days = z._default(z.int().check(z.gte(1), z.lte(days.max)), days.default)

export const listInvites = endpoint({
  method: 'GET',
  path: '/api/invites',
  summary: 'Valid invite links, newest first. For the owner and admins.',
  reply: z.array(Invite),
})

export const createInvite = endpoint({
  method: 'POST',
  path: '/api/invites',
  summary:
    'Create an invite link for a number of people and days, or for guests of some channels. Its `code` is returned only once.',
  body: z.object({
    days: Days,
    maxUses: z._default(z.int().check(z.gte(1), z.lte(uses.max)), uses.default),
    guests: z.optional(Guests),
  }),
  status: 201,
  reply: z.extend(Invite, { code: z.string() }),
})

export const revokeInvite = endpoint({
  method: 'DELETE',
  path: '/api/invites/:inviteId',
  summary: 'Revoke an invite link; users who joined with it stay.',
  params: z.object({ inviteId: Id }),
  status: 204,
  reply: z.undefined(),
})

export const mailInvites = endpoint({
  method: 'POST',
  path: '/api/invites/mail',
  summary:
    'Mail an invite to each address, for that address only and once; earlier ones of the same address end. Needs a mail server.',
  body: z.object({
    emails: z
      .array(Email)
      .check(
        z.minLength(1, fieldProblem('errors.empty')),
        z.maxLength(mails, fieldProblem('errors.tooManyAddresses', { max: mails })),
      ),
    days: Days,
    guests: z.optional(Guests),
  }),
  status: 201,
  reply: z.array(Invite),
})

export const mailInviteAgain = endpoint({
  method: 'POST',
  path: '/api/invites/:inviteId/mail',
  summary: 'Mail an invite once more. Its link stays the same.',
  params: z.object({ inviteId: Id }),
  reply: Invite,
})
