import { CancelledError, type QueryClient, type QueryKey } from '@tanstack/react-query'
import { PUBLIC_FILES } from '#contract/channel-name'
import type { Channel } from '#contract/channels'
import { ApiError } from '../../../api-client/api.ts'
import { patch, refetch } from '../../../cache/patch-query.ts'
import { allChannels, channelById } from './channel-queries.ts'

/** The cached channel: from the list, or from its own query if it is not listed. */
export const cachedChannel = (client: QueryClient, channelId: string): Channel | undefined =>
  client.getQueryData(allChannels.queryKey)?.[channelId] ?? client.getQueryData(channelById(channelId).queryKey)

/** All cached copies of a channel; one may be older than the other. */
export const cachedCopies = (client: QueryClient, channelId: string): Channel[] =>
  [client.getQueryData(allChannels.queryKey)?.[channelId], client.getQueryData(channelById(channelId).queryKey)].filter(
    (channel) => channel !== undefined,
  )

/** Stores a channel from a response in the list and in its own query. */
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

/** Events may have arrived before the response. */
const newer = (held: Channel | undefined, received: Channel) => (held && held.rev > received.rev ? held : received)

/**
 * Changes all cached copies of a channel, and responses in flight. If `isUnsure` of one of them, the channel is
 * refetched.
 */
export function patchChannel(
  client: QueryClient,
  channelId: string,
  apply: (channel: Channel) => Channel,
  isUnsure: (channel: Channel) => boolean = () => false,
) {
  const own = channelById(channelId).queryKey
  const refetch = createRefetch(client, channelId)
  const applyIn = (queryKey: QueryKey) => (channel: Channel) => {
    if (isUnsure(channel)) refetch(queryKey)
    return apply(channel)
  }
  patch(client, allChannels.queryKey, (all) => {
    const held = all[channelId]
    return held ? { ...all, [channelId]: applyIn(allChannels.queryKey)(held) } : all
  })
  patch(client, own, applyIn(own))
}

/**
 * Returns a function that refetches the channel once; call it for each cache entry that may have missed an event. If the
 * entry is being fetched, relies on the response, to which `patch` applies the event as well, unless the fetch fails.
 */
export function createRefetch(client: QueryClient, channelId: string) {
  let isScheduled = false
  const schedule = () => {
    if (isScheduled) return
    isScheduled = true
    queueMicrotask(() => void refetchChannel(client, channelId))
  }
  return (queryKey: QueryKey) => {
    const query = client.getQueryCache().find({ queryKey })
    if (!query || query.state.fetchStatus === 'idle') return schedule()
    // A cancelled fetch is followed by another one.
    query.promise?.catch((error) => !(error instanceof CancelledError) && schedule())
  }
}

/** Fetches a channel again, and drops it if it may no longer be read. Resolves to false without a response. */
export async function refetchChannel(client: QueryClient, channelId: string): Promise<boolean> {
  const { queryKey } = channelById(channelId)
  try {
    // A fetch in flight may be older.
    await client.cancelQueries({ queryKey })
    const fetches = () => client.getQueryState(queryKey)?.dataUpdateCount
    const before = fetches()
    await client.fetchQuery({ ...channelById(channelId), staleTime: 0 })
    // It was cancelled, and returned the previous data.
    if (fetches() === before) return untilFetched(client, queryKey)
    const channel = client.getQueryData(queryKey)
    if (channel) putIntoList(client, channel)
    // Retries queries that were refused while the channel could not be read.
    const wasRefused = ({ state }: { state: { status: string } }) => state.status === 'error'
    void client.refetchQueries({ queryKey: ['channel', channelId], type: 'active', predicate: wasRefused })
    return true
  } catch (error) {
    if (error instanceof CancelledError) return untilFetched(client, queryKey)
    if (error instanceof ApiError && error.status === 404) {
      dropChannel(client, channelId)
      return true
    }
    console.error('Failed to fetch a channel:', error)
    return false
  }
}

/** A cancelled fetch is followed by another one, which begins a moment later. Resolves when it is over. */
async function untilFetched(client: QueryClient, queryKey: QueryKey): Promise<boolean> {
  await new Promise((resolve) => setTimeout(resolve))
  const query = client.getQueryCache().find({ queryKey })
  if (query?.state.fetchStatus === 'fetching') await query.promise?.catch(() => {})
  return query?.state.status !== 'error'
}

/** Drops everything of a channel that was deleted, or that I can no longer read. */
export function dropChannel(client: QueryClient, channelId: string) {
  patch(client, allChannels.queryKey, ({ [channelId]: _, ...rest }) => rest)
  restartListFetch(client)
  for (const query of client.getQueryCache().findAll({ queryKey: ['channel', channelId] })) {
    query.reset()
    // The error that the server would return.
    const error = new ApiError(404, { error: { code: 'not_found', message: 'Channel not found' } })
    query.setState({ ...query.state, status: 'error', error, errorUpdatedAt: Date.now() })
  }
}

/** Restarts a running fetch of the list: if the order changes between two pages, a channel may be missed. */
export function restartListFetch(client: QueryClient) {
  const { queryKey } = allChannels
  if (client.isFetching({ queryKey }) > 0) void refetch(client, { queryKey })
}
