import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Channel, type ChannelFacts, getChannel, joinChannel, listChannels } from '#contract/channels'
import type { Payload } from '#contract/events'
import { limits } from '#contract/limits'
import { call } from '../../api.ts'

/** All channels a person can see, by name. */
export const allChannels = queryOptions({
  queryKey: ['channels'] as const,
  queryFn: async () => {
    const all: Channel[] = []
    for (let page = 1; ; page++) {
      const { channels, pagination } = await call(listChannels, { query: { page, limit: limits.page.max } })
      all.push(...channels)
      if (!pagination.hasMore) return all
    }
  },
})

/** One channel, which may not be in the list yet. */
export const channelById = (channelId: string) =>
  queryOptions({
    queryKey: ['channel', channelId, 'facts'] as const,
    queryFn: () => call(getChannel, { params: { channelId } }),
  })

export const refreshChannels = (client: QueryClient) =>
  Promise.all([
    client.invalidateQueries({ queryKey: allChannels.queryKey }),
    client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'channel' && queryKey[2] === 'facts' }),
  ])

/** Brings a channel as the server just told it into the list and its own entry. */
export function putChannel(client: QueryClient, channel: Channel) {
  client.setQueryData(channelById(channel.id).queryKey, channel)
  client.setQueryData(
    allChannels.queryKey,
    (list) => list && [...list.filter(({ id }) => id !== channel.id), channel].sort(byName),
  )
}

export function addChannel(client: QueryClient, facts: ChannelFacts) {
  const known = client.getQueryData(allChannels.queryKey)?.find(({ id }) => id === facts.id)
  // Only the owner is in a channel that was just made, and the owner knows it from their own request.
  if (!known) putChannel(client, { ...facts, isMember: false })
}

export function countMember(client: QueryClient, { channelId, rev, memberCount }: Payload<'channel:member_joined'>) {
  const counted = (channel: Channel) =>
    channel.id === channelId && channel.rev < rev ? { ...channel, rev, _count: { members: memberCount } } : channel
  client.setQueryData(allChannels.queryKey, (list) => list?.map(counted))
  client.setQueryData(channelById(channelId).queryKey, (channel) => channel && counted(channel))
}

export async function join(client: QueryClient, channelId: string) {
  putChannel(client, await call(joinChannel, { params: { channelId } }))
}

const byName = (a: Channel, b: Channel) => a.name.localeCompare(b.name)
