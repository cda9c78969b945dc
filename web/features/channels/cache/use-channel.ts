import { useQuery } from '@tanstack/react-query'
import { ApiError } from '../../../api-client/api.ts'
import { allChannels, channelById } from './channel-queries.ts'

/** A channel, from its own query or, until that has loaded, from the list, which doesn't have all channels. */
export function useChannel(channelId: string) {
  const { data, error } = useQuery(channelById(channelId))
  const { data: listed } = useQuery({ ...allChannels, select: (all) => all[channelId] })
  const isMissing = error instanceof ApiError && (error.status === 404 || error.status === 400)
  const channel = isMissing ? undefined : (data ?? listed)
  return { channel, isMissing, hasFailed: !channel && error !== null }
}
