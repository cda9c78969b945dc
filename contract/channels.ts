import * as z from 'zod/mini'
import { ChannelName } from './channel-name.ts'
import { endpoint } from './endpoint.ts'
import { Id, numeral, Time, UserId } from './ids.ts'
import { limits } from './limits.ts'

/**
 * A channel as its reader sees it. `seq` is the number of its newest top-level message, `rev` moves with
 * anything a reader can see in it (ARCHITECTURE.md, "One number per channel").
 */
export const Channel = z.object({
  id: Id,
  name: z.string(),
  isPrivate: z.boolean(),
  topic: z.string(),
  ownerId: z.nullable(UserId),
  createdAt: Time,
  seq: z.int(),
  rev: z.int(),
  _count: z.object({ members: z.int() }),
  /** Whether the one who asks is a member. */
  isMember: z.boolean(),
})
export type Channel = z.output<typeof Channel>

/** What everyone may know of a public channel; the same for every reader. */
export const ChannelFacts = z.omit(Channel, { isMember: true })
export type ChannelFacts = z.output<typeof ChannelFacts>

export const listChannels = endpoint({
  method: 'GET',
  path: '/api/channels',
  summary: 'Public channels and the private ones I am in, by name.',
  query: z.object({
    page: z._default(numeral(1), 1),
    limit: z._default(numeral(1, limits.page.max), limits.page.default),
  }),
  reply: z.object({
    channels: z.array(Channel),
    pagination: z.object({ page: z.int(), limit: z.int(), hasMore: z.boolean() }),
  }),
})

export const getChannel = endpoint({
  method: 'GET',
  path: '/api/channels/:channelId',
  summary: 'One channel.',
  params: z.object({ channelId: Id }),
  reply: Channel,
})

export const createChannel = endpoint({
  method: 'POST',
  path: '/api/channels',
  summary: 'Make a channel and become its owner and first member.',
  body: z.object({ name: ChannelName, isPrivate: z._default(z.boolean(), false) }),
  status: 201,
  reply: Channel,
})

export const joinChannel = endpoint({
  method: 'POST',
  path: '/api/channels/:channelId/join',
  summary: 'Become a member of a public channel.',
  params: z.object({ channelId: Id }),
  reply: Channel,
})
