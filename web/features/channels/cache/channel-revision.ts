import type { QueryClient, QueryKey } from '@tanstack/react-query'
import type { Channel } from '#contract/channels'
import { patch } from '../../../cache/patch-query.ts'
import { cachedCopies, createRefetch, refetchChannel } from './channel-cache.ts'
import { allChannels, channelById } from './channel-queries.ts'

/**
 * Applies the next revision of a channel to all cached copies, by the rule of message windows: a known revision is
 * ignored, and after a gap a member's channel is refetched. It is also refetched if `isUnsure` of a copy before the
 * change, or of a response in flight.
 */
export function applyChannelRev(
  client: QueryClient,
  { channelId, rev }: { channelId: string; rev: number },
  apply: (channel: Channel) => Channel = (channel) => channel,
  isUnsure: (channel: Channel) => boolean = () => false,
) {
  const own = channelById(channelId).queryKey
  const refetch = createRefetch(client, channelId)
  const applyIn = (queryKey: QueryKey) => (channel: Channel) => {
    if (rev <= channel.rev) return channel
    // Readers who are not members receive public events only, so they see gaps.
    if ((channel.isMember && rev > channel.rev + 1) || isUnsure(channel)) refetch(queryKey)
    return { ...apply(channel), rev }
  }
  patch(client, allChannels.queryKey, (all) => {
    const held = all[channelId]
    if (!held && !client.getQueryData(own)) refetch(allChannels.queryKey)
    const updated = held && applyIn(allChannels.queryKey)(held)
    return updated === held ? all : { ...all, [channelId]: updated as Channel }
  })
  patch(client, own, applyIn(own))
}

export const heldRevs = (client: QueryClient, channelId: string) =>
  cachedCopies(client, channelId).map((channel) => channel.rev)

/** Refetches a channel that is behind a revision, unless it is not cached. */
export function refetchIfBehind(client: QueryClient, { channelId, rev }: { channelId: string; rev: number }) {
  if (heldRevs(client, channelId).some((held) => held < rev)) void refetchChannel(client, channelId)
}
