import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { type Channel, type ChannelFacts, getChannel, joinChannel, listChannels } from '#contract/channels'
import type { Payload } from '#contract/events'
import { limits } from '#contract/limits'
import { ApiError, call } from '../../api.ts'

/** All channels a person can see, by name. */
export const allChannels = queryOptions({
  queryKey: ['channels'] as const,
  queryFn: async () => {
    const all = new Map<string, Channel>()
    for (let page = 1; ; page++) {
      const { channels, pagination } = await call(listChannels, { query: { page, limit: limits.page.max } })
      // A channel made meanwhile moves the others on, so one may stand on two pages.
      for (const channel of channels) all.set(channel.id, channel)
      if (!pagination.hasMore) return [...all.values()].sort(byName)
    }
  },
})

/** One channel, which may not be in the list yet. */
export const channelById = (channelId: string) =>
  queryOptions({
    queryKey: ['channel', channelId, 'facts'] as const,
    queryFn: () => call(getChannel, { params: { channelId } }),
  })

export function refreshChannels(client: QueryClient) {
  void client.invalidateQueries({ queryKey: allChannels.queryKey })
  void client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] === 'channel' && queryKey[2] === 'facts' })
}

/** Brings a channel as the server just told it into the list and its own entry. */
export function putChannel(client: QueryClient, channel: Channel) {
  client.setQueryData(channelById(channel.id).queryKey, channel)
  const { queryKey } = allChannels
  client.setQueryData(queryKey, (list) => list && [...list.filter(({ id }) => id !== channel.id), channel].sort(byName))
  askAgain(client, channel.id)
}

/** Only its owner is in a channel that was just made. */
export function addChannel(client: QueryClient, facts: ChannelFacts, me: string) {
  const known = client.getQueryData(allChannels.queryKey)?.find(({ id }) => id === facts.id)
  if (!known) putChannel(client, { ...facts, isMember: facts.ownerId === me })
}

export function countMember(client: QueryClient, joined: Payload<'channel:member_joined'>, me: string) {
  const { channelId, rev, memberCount, user } = joined
  changeChannel(client, channelId, (channel) => ({
    ...channel,
    rev: Math.max(channel.rev, rev),
    _count: { members: memberCount },
    isMember: channel.isMember || user.id === me,
  }))
  askAgain(client, channelId)
}

/** Something in a channel changed: its numbers move, also where it was never opened. */
export function moveOn(
  client: QueryClient,
  { channelId, rev, seq = 0 }: { channelId: string; rev: number; seq?: number },
) {
  changeChannel(client, channelId, (channel) =>
    channel.rev >= rev && channel.seq >= seq
      ? channel
      : { ...channel, rev: Math.max(channel.rev, rev), seq: Math.max(channel.seq, seq) },
  )
}

/** Becomes a member; whoever is one already, by another tab, only learns of it. */
export async function join(client: QueryClient, channelId: string) {
  const channel = await call(joinChannel, { params: { channelId } }).catch((error) => {
    if (error instanceof ApiError && error.code === 'already_member') return call(getChannel, { params: { channelId } })
    throw error
  })
  putChannel(client, channel)
}

function changeChannel(client: QueryClient, channelId: string, by: (channel: Channel) => Channel) {
  client.setQueryData(allChannels.queryKey, (list) =>
    list?.map((channel) => (channel.id === channelId ? by(channel) : channel)),
  )
  client.setQueryData(channelById(channelId).queryKey, (channel) => channel && by(channel))
}

/** An answer that is on its way may have been read just before: it is asked for once more. */
function askAgain(client: QueryClient, channelId: string) {
  for (const { queryKey } of [allChannels, channelById(channelId)]) {
    if (client.isFetching({ queryKey })) void client.invalidateQueries({ queryKey })
  }
}

const byName = (a: Channel, b: Channel) => a.name.localeCompare(b.name)
