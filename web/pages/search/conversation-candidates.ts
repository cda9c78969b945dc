import type { Channel } from '#contract/channels'
import { othersIn } from '../../features/channels/cache/channel-title.ts'
import { isUnread } from '../../features/channels/cache/unread.ts'
import { candidate } from '../../features/search/destination.ts'
import { t } from '../../i18n/text.ts'

/** My partners in conversations for two. */
export function partnersIn(channels: Record<string, Channel>, me: string) {
  const pairs = Object.values(channels).filter(({ kind, _count }) => kind === 'direct' && _count.members === 2)
  return new Set(pairs.flatMap((pair) => othersIn(pair, me).map(({ id }) => id)))
}

/** Unread conversations first, then my conversations by their latest message, then others. */
export function conversationCandidates(channels: Record<string, Channel>, me: string) {
  const dated = Object.values(channels).map((channel) => ({
    channel,
    at: Date.parse(channel.lastMessageAt ?? channel.createdAt),
  }))
  return dated
    .sort(
      (a, b) =>
        Number(isUnread(b.channel)) - Number(isUnread(a.channel)) ||
        Number(b.channel.isMember) - Number(a.channel.isMember) ||
        b.at - a.at,
    )
    .map(({ channel }) => {
      const { name, also } = namesOf(channel, me)
      return candidate(channel, name, also)
    })
}

/** The name of a conversation, and the usernames in it. */
export function namesOf(channel: Channel, me: string) {
  if (channel.kind !== 'direct') return { name: channel.name, also: [] }
  const others = othersIn(channel, me)
  return { name: others.map(({ name }) => name).join(t('ui.listComma')), also: others.map(({ username }) => username) }
}
