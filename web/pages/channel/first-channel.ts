import { matchPath } from 'react-router'
import { lastChannel } from '../../features/channels/cache/last-channel.ts'
import { paths } from '../../paths.ts'

/** The channel that the URL opens for a user, and the message that it links to. */
export function firstChannel(userId: string) {
  const { pathname, search } = location
  const isAnywhere = pathname === paths.home || pathname.startsWith(paths.dashboard)
  const channelId = isAnywhere
    ? lastChannel(userId)
    : matchPath(paths.channel(':channelId'), pathname)?.params['channelId']?.toLowerCase()
  const linked = new URLSearchParams(search).get('message')?.toLowerCase()
  return { channelId, linked }
}
