import type { Me } from '#contract/users'
import { queryClient } from '../../api-client/api.ts'
import { allChannels, channelById } from '../../features/channels/cache/channel-queries.ts'
import { messagesIn } from '../../features/messages/sync/message-queries.ts'
import { preload } from '../../ui/lazy/lazy.tsx'
import { firstChannel } from './first-channel.ts'
import { welcomeCard } from './lazy-parts.ts'

/** Fetches the data that the URL shows first. */
export function prefetchFirstPage(me: Me): Promise<unknown> {
  const { channelId, linked } = firstChannel(me.id)
  return Promise.all([
    me.isWelcomed === false && preload(welcomeCard),
    queryClient.prefetchQuery(allChannels),
    channelId && queryClient.prefetchQuery(channelById(channelId)),
    channelId && queryClient.prefetchQuery(messagesIn(channelId, null, linked ? { id: linked } : undefined)),
  ])
}
