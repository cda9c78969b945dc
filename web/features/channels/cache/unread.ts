import { queryOptions } from '@tanstack/react-query'
import type { Channel } from '#contract/channels'
import { allChannels } from './channel-queries.ts'

/** How often a channel calls me. To write to somebody directly is to call them; a muted one calls by mentions only. */
export const notificationCount = ({ kind, muted, unread = 0, mentions = 0 }: Channel) =>
  kind === 'direct' && !muted ? unread : mentions

/** Whether a channel asks to be read. */
export const isUnread = (channel: Channel) =>
  notificationCount(channel) > 0 || (!channel.muted && (channel.unread ?? 0) > 0)

/** What the sidebar leads to out of its view: what is unread, and what calls me. */
export const unreadKinds = [isUnread, (channel: Channel) => notificationCount(channel) > 0]

/** What all channels together ask for: how often they call me, and whether there is anything to read. */
export const unreadTotals = queryOptions({
  ...allChannels,
  select: (all: Record<string, Channel>) => {
    const channels = Object.values(all)
    return {
      calls: channels.reduce((sum, channel) => sum + notificationCount(channel), 0),
      isUnread: channels.some(isUnread),
    }
  },
})
