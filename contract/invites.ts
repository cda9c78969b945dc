import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
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
})
export type Invite = z.output<typeof Invite>

const { days, uses } = limits.invite

export const listInvites = endpoint({
  method: 'GET',
  path: '/api/invites',
  summary: 'Valid invite links, newest first. For the owner and admins.',
  reply: z.array(Invite),
})

export const createInvite = endpoint({
  method: 'POST',
  path: '/api/invites',
  summary: 'Create an invite link for a number of people and days. Its `code` is returned only once.',
  body: z.object({
    days: z._default(z.int().check(z.gte(1), z.lte(days.max)), days.default),
    maxUses: z._default(z.int().check(z.gte(1), z.lte(uses.max)), uses.default),
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
