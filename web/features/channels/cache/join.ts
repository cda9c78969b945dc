import type { QueryClient } from '@tanstack/react-query'
import { getChannel } from '#contract/channels'
import { joinChannel } from '#contract/members'
import { ApiError, call } from '../../../api-client/api.ts'
import { putChannel } from './channel-cache.ts'

/** Joins a channel, or just fetches it if I have joined in another tab. */
export async function join(client: QueryClient, channelId: string) {
  const channel = await call(joinChannel, { params: { channelId } }).catch((error) => {
    if (error instanceof ApiError && error.code === 'already_member') return call(getChannel, { params: { channelId } })
    throw error
  })
  putChannel(client, channel)
}
