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
  summary: 'The members of a channel, by username; with `query`, those whose name or username contains it.',
  params,
  query: z.object({ query: z.optional(Query), ...pageQuery }),
  reply: z.object({ members: z.array(Profile), pagination: Pagination }),
})

export const countAudience = endpoint({
  method: 'GET',
  path: '/api/channels/:channelId/audience',
  summary: 'How many people `@channel` notifies, and how many of them are away. For members.',
  params,
  reply: z.object({ people: z.int(), away: z.int() }),
})

export const joinChannel = endpoint({
  method: 'POST',
  path: '/api/channels/:channelId/join',
  summary: 'Join a public channel.',
  params,
  reply: Channel,
})

export const leaveChannel = endpoint({
  method: 'POST',
  path: '/api/channels/:channelId/leave',
  summary: 'Leave a channel.',
  params,
  status: 204,
  reply: z.undefined(),
})

export const inviteToChannel = endpoint({
  method: 'POST',
  path: '/api/channels/:channelId/invite',
  summary: 'Add someone to a channel I am a member of.',
  params,
  body: z.object({ userId: UserId }),
  reply: Channel,
})

const poster = z.object({ channelId: Id, userId: UserId })

export const addPoster = endpoint({
  method: 'PUT',
  path: '/api/channels/:channelId/posters/:userId',
  summary: 'Let a member post in a channel I own, even if its rule does not.',
  params: poster,
  reply: Channel,
})

export const removePoster = endpoint({
  method: 'DELETE',
  path: '/api/channels/:channelId/posters/:userId',
  summary: 'Let a member post in a channel I own only if its rule does.',
  params: poster,
  reply: Channel,
})

export const removeMember = endpoint({
  method: 'POST',
  path: '/api/channels/:channelId/remove-member',
  summary: 'Remove a member from a channel I own.',
  params,
  body: z.object({ userId: UserId }),
  reply: Channel,
})
