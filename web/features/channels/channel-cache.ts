import { CancelledError, type QueryClient } from '@tanstack/react-query'
import { PUBLIC_FILES } from '#contract/channel-name'
import { type Channel, getChannel } from '#contract/channels'
import { joinChannel } from '#contract/members'
import { ApiError, call } from '../../api.ts'
import { patch, readAgain } from '../../cache.ts'
import { allChannels, channelById } from './channel-queries.ts'

/** A channel as it is held: in the list, or on its own where it is not in the list. */
export const channelHeld = (client: QueryClient, channelId: string): Channel | undefined =>
  client.getQueryData(allChannels.queryKey)?.[channelId] ?? client.getQueryData(channelById(channelId).queryKey)

/** Brings a channel, as the server answered it, into the list and its own entry. */
export function putChannel(client: QueryClient, channel: Channel) {
  const { queryKey } = channelById(channel.id)
  client.setQueryData(queryKey, (held) => held ?? channel)
  patch(client, queryKey, (held) => newer(held, channel))
  putIntoList(client, channel)
}

function putIntoList(client: QueryClient, channel: Channel) {
  if (channel.name === PUBLIC_FILES) return
  patch(client, allChannels.queryKey, (all) => ({ ...all, [channel.id]: newer(all[channel.id], channel) }))
}

/** Events may have come before the answer. */
const newer = (held: Channel | undefined, answer: Channel) => (held && held.rev > answer.rev ? held : answer)

/** Changes a channel wherever it is held. */
export function changeChannel(client: QueryClient, channelId: string, by: (channel: Channel) => Channel) {
  patch(client, allChannels.queryKey, (all) => {
    const held = all[channelId]
    return held ? { ...all, [channelId]: by(held) } : all
  })
  patch(client, channelById(channelId).queryKey, by)
}

/**
 * Something in a channel changed, under its next revision. The rule is that of the windows: one that is known is
 * dropped; and where a member hears one further on, they missed something, and the channel is asked for.
 */
export function moveChannel(
  client: QueryClient,
  { channelId, rev }: { channelId: string; rev: number },
  by: (channel: Channel) => Channel = (channel) => channel,
) {
  const wasMissed = missed(client, channelId, rev)
  changeChannel(client, channelId, (channel) => (rev > channel.rev ? { ...by(channel), rev } : channel))
  if (wasMissed) void readChannel(client, channelId)
}

function missed(client: QueryClient, channelId: string, rev: number) {
  // The answer will be from after it, or what came in between is brought into it.
  if (client.isFetching({ queryKey: allChannels.queryKey }) > 0) return false
  const held = channelHeld(client, channelId)
  // Of what somebody only looks at they hear no more than what everyone hears.
  if (held) return held.isMember && rev > held.rev + 1
  return client.getQueryData(allChannels.queryKey) !== undefined
}

/** Asks for a channel; where it may not be read any more, it is dropped. */
export async function readChannel(client: QueryClient, channelId: string) {
  const { queryKey } = channelById(channelId)
  try {
    // What is on its way may be from before.
    await client.cancelQueries({ queryKey })
    await client.fetchQuery({ ...channelById(channelId), staleTime: 0 })
    const channel = client.getQueryData(queryKey)
    if (channel) putIntoList(client, channel)
    // What is looked at and was refused while the channel could not be read.
    const wasRefused = ({ state }: { state: { status: string } }) => state.status === 'error'
    void client.refetchQueries({ queryKey: ['channel', channelId], type: 'active', predicate: wasRefused })
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) dropChannel(client, channelId)
    else if (!(error instanceof CancelledError)) console.error('Could not read a channel:', error)
  }
}

/** The channel is gone, or for its members only, and I am none. */
export function dropChannel(client: QueryClient, channelId: string) {
  patch(client, allChannels.queryKey, ({ [channelId]: _, ...rest }) => rest)
  readListAgain(client)
  void client.resetQueries({ queryKey: ['channel', channelId] })
}

/** Where the list is being read page by page, one that went elsewhere or away let another one slip through. */
export function readListAgain(client: QueryClient) {
  const { queryKey } = allChannels
  if (client.isFetching({ queryKey }) > 0) void readAgain(client, { queryKey })
}

/** Becomes a member; whoever is one already, by another tab, only learns of it. */
export async function join(client: QueryClient, channelId: string) {
  const channel = await call(joinChannel, { params: { channelId } }).catch((error) => {
    if (error instanceof ApiError && error.code === 'already_member') return call(getChannel, { params: { channelId } })
    throw error
  })
  putChannel(client, channel)
}
