import type { QueryClient } from '@tanstack/react-query'
import { compareChannels, stateOf } from '#contract/channels'
import { limits } from '#contract/limits'
import { call } from '../../../api-client/api.ts'
import { refetch } from '../../../cache/patch-query.ts'
import { refetchChannel } from './channel-cache.ts'
import { allChannels, channelById, snapshotVersion } from './channel-queries.ts'

/** So many channels are asked for one by one; where more moved, the list is read again. */
const MAX_REFETCHED = 10

/**
 * Brings what was read of channels before the first connection up to date: asks which of them are not as they are held,
 * and reads those. Answers false where that cannot be asked, because nothing is held, or what is held is too much or of
 * other people or another database, or where one could not be read; then all of it is to be read again.
 * @param now the server's numbers, as the connection began
 */
export async function catchUpChannels(client: QueryClient, me: string, now: { epoch: string; peopleVersion: number }) {
  const list = client.getQueryState(allChannels.queryKey)
  const numbers = client.getQueryData(snapshotVersion.queryKey)
  if (!list?.data || list.fetchStatus !== 'idle' || list.isInvalidated) return false
  if (numbers?.epoch !== now.epoch || numbers.peopleVersion !== now.peopleVersion) return false
  const all = Object.entries(list.data)
  if (all.length > limits.comparedChannels) return false

  const held = Object.fromEntries(all.map(([id, channel]) => [id, stateOf(channel, me)]))
  // What stands alone may not be in the list, or have been read at another moment.
  const alone = client
    .getQueryCache()
    .findAll({ predicate: ({ queryKey: [first, , third] }) => first === 'channel' && third === 'facts' })
    .map(({ queryKey }) => queryKey[1] as string)
    .filter((id) => {
      const { data, fetchStatus } = client.getQueryState(channelById(id).queryKey) ?? {}
      return fetchStatus !== 'idle' || !data || stateOf(data, me) !== held[id]
    })
  try {
    const { moved, gone } = await call(compareChannels, { body: { held } })
    const asked = [...new Set([...moved, ...gone, ...alone])]
    if (asked.length > MAX_REFETCHED) await refetch(client, { queryKey: allChannels.queryKey })
    const looked = asked.length > MAX_REFETCHED ? alone : asked
    const read = await Promise.all(looked.map((id) => refetchChannel(client, id)))
    return read.every((isRead) => isRead)
  } catch (error) {
    console.error('Could not compare the channels:', error)
    return false
  }
}
