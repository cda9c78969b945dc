import * as z from 'zod/mini'
import { Channel, Pagination, pageQuery } from './channels.ts'
import { endpoint } from './endpoint.ts'
import { Id, UserId } from './ids.ts'
import { Query } from './text.ts'
import { Profile } from './users.ts'

const params = z.object({ channelId: Id })

export const listMembers = endpoint({
  method: 'GET',
  path: '/api/channels/:channelId/members',
  summary: 'Who is in a channel, by username; those whose username holds `query`.',
  params,
  query: z.object({ query: z.optional(Query), ...pageQuery }),
  reply: z.object({ members: z.array(Profile), pagination: Pagination }),
})

export const joinChannel = endpoint({
  method: 'POST',
  path: '/api/channels/:channelId/join',
  summary: 'Become a member of a public channel.',
  params,
  reply: Channel,
})

export const leaveChannel = endpoint({
  method: 'POST',
  path: '/api/channels/:channelId/leave',
  summary: 'End my membership.',
  params,
  status: 204,
  reply: z.undefined(),
})

export const inviteToChannel = endpoint({
  method: 'POST',
  path: '/api/channels/:channelId/invite',
  summary: 'Make somebody else a member of a channel I am in.',
  params,
  body: z.object({ userId: UserId }),
  reply: Channel,
})

export const removeMember = endpoint({
  method: 'POST',
  path: '/api/channels/:channelId/remove-member',
  summary: 'End somebody’s membership of a channel of mine.',
  params,
  body: z.object({ userId: UserId }),
  reply: Channel,
})

export const muteChannel = endpoint({
  method: 'PUT',
  path: '/api/channels/:channelId/mute',
  summary: 'Mute a channel for me.',
  params,
  status: 204,
  reply: z.undefined(),
})

export const unmuteChannel = endpoint({
  method: 'DELETE',
  path: '/api/channels/:channelId/mute',
  summary: 'Hear a channel again.',
  params,
  status: 204,
  reply: z.undefined(),
})
