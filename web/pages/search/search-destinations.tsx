import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Hash, Lock } from 'lucide-react'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { type Channel, openDirectMessage } from '#contract/channels'
import type { Profile } from '#contract/users'
import { call } from '../../api-client/api.ts'
import { putChannel } from '../../features/channels/cache/channel-cache.ts'
import { allChannels } from '../../features/channels/cache/channel-queries.ts'
import { othersIn } from '../../features/channels/cache/channel-title.ts'
import { isUnread, notificationCount } from '../../features/channels/cache/unread.ts'
import { bestMatches, type Candidate, candidate, type Destination } from '../../features/search/destination.ts'
import { useLanguage } from '../../i18n/language.ts'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { paths } from '../../paths.ts'
import { DirectMark } from '../../people/direct-mark.tsx'
import { handleOf } from '../../people/shown-person.ts'
import { useUserSearch } from '../../people/user-search.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { CountBadge } from '../../ui/count-badge.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'
import { conversationCandidates, namesOf, partnersIn } from './conversation-candidates.ts'

/** The conversations and people that match a query; undefined while unknown. */
export function useDestinations(query: string, onClose: () => void): Destination[] | undefined {
  const me = useMe()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: channels } = useQuery(allChannels)
  const language = useLanguage()
  const { people } = useUserSearch(query.replace(/^@/, '').trim().toLowerCase())

  // biome-ignore lint/correctness/useExhaustiveDependencies: names of groups contain a text of the language
  const conversations = useMemo(() => channels && conversationCandidates(channels, me.id), [channels, me.id, language])
  const partners = useMemo(() => channels && partnersIn(channels, me.id), [channels, me.id])
  const strangers = useMemo(
    () =>
      (people ?? [])
        .filter(({ id }) => id !== me.id && !partners?.has(id))
        .map((person) => candidate(person, person.name, [person.username])),
    [people, partners, me.id],
  )

  // biome-ignore lint/correctness/useExhaustiveDependencies: contains texts of the language
  return useMemo(() => {
    if (!conversations) return undefined
    const open = (channelId: string) => {
      onClose()
      void navigate(paths.channel(channelId))
    }
    const openDirect = async (userId: string) => {
      onClose()
      try {
        const channel = await call(openDirectMessage, { body: { userIds: [userId] } })
        putChannel(client, channel)
        await navigate(paths.channel(channel.id))
      } catch (error) {
        console.error('Failed to start conversation:', error)
        showToast(t('channels.newDirect.failed'))
      }
    }
    // People without a conversation are listed only if they match a query.
    const candidates: Candidate<Channel | Profile>[] =
      query.trim() === '' ? conversations : [...conversations, ...strangers]
    return bestMatches(candidates, query).map((item) =>
      'kind' in item
        ? destinationOf(item, me.id, () => open(item.id))
        : personDestination(item, () => void openDirect(item.id)),
    )
  }, [conversations, strangers, query, me.id, client, navigate, onClose, language])
}

function destinationOf(channel: Channel, me: string, go: () => void): Destination {
  const { id, kind, isPrivate, _count } = channel
  const { name, also } = namesOf(channel, me)
  const unread = { isUnread: isUnread(channel), badge: badgeOf(channel) }
  if (kind !== 'direct') {
    const mark = isPrivate ? <Lock size={16} /> : <Hash size={16} />
    return { id, name, also, note: members(_count.members), ...unread, mark, go }
  }
  const others = othersIn(channel, me)
  const [other] = others
  const isGroup = others.length > 1
  return {
    id,
    name,
    also,
    note: isGroup || !other ? members(_count.members) : (handleOf(other.username) ?? ''),
    ...unread,
    mark: <DirectMark others={others} size="m" />,
    go,
  }
}

function badgeOf(channel: Channel) {
  const count = notificationCount(channel)
  if (count === 0) return undefined
  const label = channel.kind === 'direct' ? t('channels.unreadCount', { count }) : t('ui.mentionCount', { count })
  return <CountBadge count={count} label={label} />
}

const personDestination = ({ id, name, username, color }: Profile, go: () => void): Destination => ({
  id,
  name,
  also: [username],
  note: `@${username}`,
  mark: <Avatar id={id} name={name} color={color} size="m" />,
  go,
})

const members = (count: number) => t('channels.memberCount', { count })
