import { CancelledError, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { PUBLIC_FILES } from '#contract/channel-name'
import { type Channel, getChannel } from '#contract/channels'
import { joinChannel } from '#contract/members'
import { ApiError, call } from '../../../api-client/api.ts'
import { patch, refetch } from '../../../cache/patch-query.ts'
import { allChannels, channelById } from './channel-queries.ts'

/** A channel as it is held: in the list, or on its own where it is not in the list. */
export const cachedChannel = (client: QueryClient, channelId: string): Channel | undefined =>
  client.getQueryData(allChannels.queryKey)?.[channelId] ?? client.getQueryData(channelById(channelId).queryKey)

/** All that is held of a channel: in the list, and on its own. Of two answers one may be older. */
export const cachedCopies = (client: QueryClient, channelId: string): Channel[] =>
  [client.getQueryData(allChannels.queryKey)?.[channelId], client.getQueryData(channelById(channelId).queryKey)].filter(
    (it) => it !== undefined,
  )

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

/**
 * Changes a channel wherever it is held. Where `isUnsure` of what is held, or of the answer that is on its way to it, the
 * channel is asked for.
 */
export function patchChannel(
  client: QueryClient,
  channelId: string,
  by: (channel: Channel) => Channel,
  isUnsure: (channel: Channel) => boolean = () => false,
) {
  const own = channelById(channelId).queryKey
  const miss = createRefetch(client, channelId)
  const changeIn = (queryKey: QueryKey) => (channel: Channel) => {
    if (isUnsure(channel)) miss(queryKey)
    return by(channel)
  }
  patch(client, allChannels.queryKey, (all) => {
    const held = all[channelId]
    return held ? { ...all, [channelId]: changeIn(allChannels.queryKey)(held) } : all
  })
  patch(client, own, changeIn(own))
}

/**
 * Something in a channel changed, under its next revision. The rule is that of the windows: one that is known is
 * dropped; and where a member hears one further on, they missed something, and the channel is asked for. So it is where
 * `isUnsure` of a channel as it was before; the answer that is on its way may be from before, and is looked at too.
 */
export function applyChannelRev(
  client: QueryClient,
  { channelId, rev }: { channelId: string; rev: number },
  by: (channel: Channel) => Channel = (channel) => channel,
  isUnsure: (channel: Channel) => boolean = () => false,
) {
  const own = channelById(channelId).queryKey
  const miss = createRefetch(client, channelId)
  const moveIn = (queryKey: QueryKey) => (channel: Channel) => {
    if (rev <= channel.rev) return channel
    // Of what somebody only looks at they hear no more than what everyone hears.
    if ((channel.isMember && rev > channel.rev + 1) || isUnsure(channel)) miss(queryKey)
    return { ...by(channel), rev }
  }
  patch(client, allChannels.queryKey, (all) => {
    const held = all[channelId]
    if (!held && !client.getQueryData(own)) miss(allChannels.queryKey)
    const moved = held && moveIn(allChannels.queryKey)(held)
    return moved === held ? all : { ...all, [channelId]: moved as Channel }
  })
  patch(client, own, moveIn(own))
}

/**
 * How to say that an entry misses something of a channel, which is asked for then, once. Where an answer is on its way
 * to that entry, it decides: it may be from after what was missed, or from before it.
 */
function createRefetch(client: QueryClient, channelId: string) {
  let isAsked = false
  const ask = () => {
    if (isAsked) return
    isAsked = true
    queueMicrotask(() => void refetchChannel(client, channelId))
  }
  return (queryKey: QueryKey) => {
    const query = client.getQueryCache().find({ queryKey })
    if (!query || query.state.fetchStatus === 'idle') return ask()
    // What is cancelled is asked for anew.
    query.promise?.catch((error) => !(error instanceof CancelledError) && ask())
  }
}

/** Asks for a channel; where it may not be read any more, it is dropped. Answers false where there was no answer. */
export async function refetchChannel(client: QueryClient, channelId: string): Promise<boolean> {
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
    return true
  } catch (error) {
    // What is cancelled is asked for anew.
    if (error instanceof CancelledError) return true
    if (error instanceof ApiError && error.status === 404) {
      dropChannel(client, channelId)
      return true
    }
    console.error('Could not read a channel:', error)
    return false
  }
}

/** The channel is gone, or for its members only, and I am none. */
export function dropChannel(client: QueryClient, channelId: string) {
  patch(client, allChannels.queryKey, ({ [channelId]: _, ...rest }) => rest)
  restartListFetch(client)
  void client.resetQueries({ queryKey: ['channel', channelId] })
}

/** Where the list is being read page by page, one that went elsewhere or away let another one slip through. */
export function restartListFetch(client: QueryClient) {
  const { queryKey } = allChannels
  if (client.isFetching({ queryKey }) > 0) void refetch(client, { queryKey })
}

/** Becomes a member; whoever is one already, by another tab, only learns of it. */
export async function join(client: QueryClient, channelId: string) {
  const channel = await call(joinChannel, { params: { channelId } }).catch((error) => {
    if (error instanceof ApiError && error.code === 'already_member') return call(getChannel, { params: { channelId } })
    throw error
  })
  putChannel(client, channel)
}
