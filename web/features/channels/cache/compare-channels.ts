import type { QueryClient } from '@tanstack/react-query'
import { compareChannels, stateOf } from '#contract/channels'
import { limits } from '#contract/limits'
import { call } from '../../../api-client/api.ts'
import { refetch } from '../../../cache/patch-query.ts'
import { refetchChannel } from './channel-cache.ts'
import { allChannels, channelById, snapshotVersion } from './channel-queries.ts'

/** Up to this many changed channels are fetched one by one; otherwise the whole list is. */
const MAX_REFETCHED = 10

/**
 * Updates channels that were fetched before the first connection: asks the server which of them changed, and fetches
 * those.
 * @param now the server's versions at the time of the connection
 * @param isCurrent false once another run has begun, which fetches the channels instead
 * @returns false if the whole list has to be fetched: nothing is cached, there are too many channels, the users or the
 * database changed, or a fetch failed
 */
export async function catchUpChannels(
  client: QueryClient,
  me: string,
  now: { epoch: string; peopleVersion: number },
  isCurrent = () => true,
) {
  const list = client.getQueryState(allChannels.queryKey)
  const versions = client.getQueryData(snapshotVersion.queryKey)
  if (!list?.data || list.fetchStatus !== 'idle' || list.isInvalidated) return false
  if (versions?.epoch !== now.epoch || versions.peopleVersion !== now.peopleVersion) return false
  const all = Object.entries(list.data)
  if (all.length > limits.comparedChannels) return false

  const held = Object.fromEntries(all.map(([id, channel]) => [id, stateOf(channel, me)]))
  // Channels with a query of their own may not be in the list, or were fetched at another time.
  const standalone = client
    .getQueryCache()
    .findAll({ predicate: ({ queryKey: [first, , third] }) => first === 'channel' && third === 'facts' })
    .map(({ queryKey }) => queryKey[1] as string)
    .filter((id) => {
      const { data, fetchStatus } = client.getQueryState(channelById(id).queryKey) ?? {}
      return fetchStatus !== 'idle' || !data || stateOf(data, me) !== held[id]
    })
  try {
    const { moved, gone } = await call(compareChannels, { body: { held } })
    if (!isCurrent()) return true
    const changed = [...new Set([...moved, ...gone, ...standalone])]
    if (changed.length > MAX_REFETCHED) await refetch(client, { queryKey: allChannels.queryKey })
    const remaining = changed.length > MAX_REFETCHED ? standalone : changed
    const results = await Promise.all(remaining.map((id) => refetchChannel(client, id)))
    return results.every((hasSucceeded) => hasSucceeded)
  } catch (error) {
    console.error('Failed to compare the channels:', error)
    return false
  }
}
