import { queryOptions } from '@tanstack/react-query'
import type { Channel } from '#contract/channels'
import { allChannels } from './channel-queries.ts'

/**
 * The number of notifications in a channel: unread messages in direct messages, only mentions elsewhere and if muted.
 */
export const notificationCount = ({ kind, muted, unread = 0, mentions = 0 }: Channel) =>
  kind === 'direct' && !muted ? unread : mentions

export const isUnread = (channel: Channel) =>
  notificationCount(channel) > 0 || (!channel.muted && (channel.unread ?? 0) > 0)

/** The rows that the sidebar offers to scroll to: unread channels, and those with notifications. */
export const unreadKinds = [isUnread, (channel: Channel) => notificationCount(channel) > 0]

/** The notifications of all channels together, and whether any is unread. */
export const unreadTotals = queryOptions({
  ...allChannels,
  select: (all: Record<string, Channel>) => {
    const channels = Object.values(all)
    return {
      notifications: channels.reduce((sum, channel) => sum + notificationCount(channel), 0),
      isUnread: channels.some(isUnread),
    }
  },
})
