import { matchPath } from 'react-router'
import type { Me } from '#contract/users'
import { queryClient } from '../../api-client/api.ts'
import { allChannels, channelById } from '../../features/channels/cache/channel-queries.ts'
import { lastChannel } from '../../features/channels/cache/last-channel.ts'
import { messagesIn } from '../../features/messages/sync/message-queries.ts'
import { paths } from '../../paths.ts'
import { preload } from '../../ui/lazy/lazy.tsx'
import { welcomeCard } from './lazy-parts.ts'

/** Fetches what the URL shows first. */
export function prefetchFirstPage(me: Me): Promise<unknown> {
  const { pathname, search } = location
  const isAnywhere = pathname === paths.home || pathname.startsWith(paths.dashboard)
  const channelId = isAnywhere
    ? lastChannel(me.id)
    : matchPath(paths.channel(':channelId'), pathname)?.params['channelId']?.toLowerCase()
  const linked = new URLSearchParams(search).get('message')?.toLowerCase()
  return Promise.all([
    me.isWelcomed === false && preload(welcomeCard),
    queryClient.prefetchQuery(allChannels),
    channelId && queryClient.prefetchQuery(channelById(channelId)),
    channelId && queryClient.prefetchQuery(messagesIn(channelId, null, linked ? { id: linked } : undefined)),
  ])
}
