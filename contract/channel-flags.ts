import * as z from 'zod/mini'
import { endpoint } from './endpoint.ts'
import { Id } from './ids.ts'

const call = { params: z.object({ channelId: Id }), status: 204, reply: z.undefined() }

export const muteChannel = endpoint({
  method: 'PUT',
  path: '/api/channels/:channelId/mute',
  summary: 'Mute a channel for me.',
  ...call,
})

export const unmuteChannel = endpoint({
  method: 'DELETE',
  path: '/api/channels/:channelId/mute',
  summary: 'Unmute a channel for me.',
  ...call,
})

export const favoriteChannel = endpoint({
  method: 'PUT',
  path: '/api/channels/:channelId/favorite',
  summary: 'Add a channel to my favorites.',
  ...call,
})

export const unfavoriteChannel = endpoint({
  method: 'DELETE',
  path: '/api/channels/:channelId/favorite',
  summary: 'Remove a channel from my favorites.',
  ...call,
})

/**
 * A setting of a member on a channel, for themselves alone. Each flag is a boolean column of `memberships` and a field of the
 * channel, with an endpoint that sets it, one that clears it, and an event to the member's own sockets.
 */
export const channelFlags = {
  muted: { set: muteChannel, clear: unmuteChannel, event: 'channel:muted' },
  isFavorite: { set: favoriteChannel, clear: unfavoriteChannel, event: 'channel:favorited' },
} as const
export type ChannelFlag = keyof typeof channelFlags

export const flagEvents = {
  'channel:muted': z.object({ channelId: Id, muted: z.boolean() }),
  'channel:favorited': z.object({ channelId: Id, isFavorite: z.boolean() }),
}

export const flagNames = Object.keys(channelFlags) as ChannelFlag[]

/** An object with an entry for each flag. */
export const mapFlags = <T>(toValue: (flag: ChannelFlag) => T) =>
  Object.fromEntries(flagNames.map((flag) => [flag, toValue(flag)])) as Record<ChannelFlag, T>
