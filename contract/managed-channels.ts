import * as z from 'zod/mini'
import { Channel } from './channels.ts'
import { endpoint } from './endpoint.ts'
import { Id, Time } from './ids.ts'
import { Query } from './text.ts'
import { User } from './users.ts'

/** A channel as the administration lists it. */
export const ManagedChannel = z.object({
  id: Id,
  name: z.string(),
  kind: z.enum(['public', 'private']),
  isGeneral: z.boolean(),
  owner: z.nullable(User),
  members: z.int(),
  createdAt: Time,
  archivedAt: z.nullable(Time),
})
export type ManagedChannel = z.output<typeof ManagedChannel>

export const ManagedChannels = z.object({
  channels: z.array(ManagedChannel),
  /** Whether the owner sees private channels by name. */
  listsPrivate: z.boolean(),
})

export const listManagedChannels = endpoint({
  method: 'GET',
  path: '/api/workspace/channels',
  summary:
    'Public channels by name, at most 1,000, and for the owner the private ones if the workspace lists them. For the owner and admins.',
  query: z.object({ query: z.optional(Query) }),
  reply: ManagedChannels,
})

export const listPrivateChannels = endpoint({
  method: 'PATCH',
  path: '/api/workspace/channels',
  summary: 'Whether the owner sees private channels by name, never their messages. For the owner.',
  body: z.object({ listsPrivate: z.boolean() }),
  status: 204,
  reply: z.undefined(),
})

export const archiveChannel = endpoint({
  method: 'PUT',
  path: '/api/channels/:channelId/archive',
  summary: 'Make a channel read-only. For its owner, and for admins if it is public.',
  params: z.object({ channelId: Id }),
  reply: z.pick(Channel, { id: true, archivedAt: true }),
})

export const restoreChannel = endpoint({
  method: 'DELETE',
  path: '/api/channels/:channelId/archive',
  summary: 'Restore an archived channel, with its members. For its owner, and for admins if it is public.',
  params: z.object({ channelId: Id }),
  reply: z.pick(Channel, { id: true, archivedAt: true }),
})

export const deleteArchivedChannel = endpoint({
  method: 'DELETE',
  path: '/api/workspace/channels/:channelId',
  summary: 'Delete an archived channel for good. For admins; 409 `not_archived` otherwise.',
  params: z.object({ channelId: Id }),
  status: 204,
  reply: z.undefined(),
})
