import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Hash, Lock, Users } from 'lucide-react'
import { useMemo } from 'react'
import { useNavigate } from 'react-router'
import { type Channel, openDirectMessage } from '#contract/channels'
import type { Profile } from '#contract/users'
import { call } from '../../api-client/api.ts'
import { putChannel } from '../../features/channels/cache/channel-cache.ts'
import { allChannels } from '../../features/channels/cache/channel-queries.ts'
import { othersIn } from '../../features/channels/cache/channel-title.ts'
import { bestDestinations, type Destination } from '../../features/search/destination.ts'
import { useLanguage } from '../../i18n/language.ts'
import { t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { paths } from '../../paths.ts'
import { useUserSearch } from '../../people/user-search.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { showToast } from '../../ui/feedback/toast.tsx'

/** The conversations and people that match a query; undefined while unknown. */
export function useDestinations(query: string, onClose: () => void): Destination[] | undefined {
  const me = useMe()
  const client = useQueryClient()
  const navigate = useNavigate()
  const { data: channels } = useQuery(allChannels)
  const language = useLanguage()
  const { people } = useUserSearch(query.replace(/^@/, '').trim().toLowerCase())

  // biome-ignore lint/correctness/useExhaustiveDependencies: contains texts of the language
  return useMemo(() => {
    if (!channels) return undefined
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
    const conversations = Object.values(channels).sort(latestFirst)
    const pairs = conversations.filter(({ kind, _count }) => kind === 'direct' && _count.members === 2)
    const partners = new Set(pairs.flatMap((pair) => othersIn(pair, me.id).map(({ id }) => id)))
    const strangers = (people ?? []).filter(({ id }) => id !== me.id && !partners.has(id))
    return bestDestinations(
      [
        ...conversations.map((channel) => destinationOf(channel, me.id, () => open(channel.id))),
        // People without a conversation are listed only if they match a query.
        ...(query.trim() === ''
          ? []
          : strangers.map((person) => personDestination(person, () => void openDirect(person.id)))),
      ],
      query,
    )
  }, [channels, people, query, me.id, client, navigate, onClose, language])
}

/** Unread conversations first, then my conversations by their latest message, then others. */
function latestFirst(a: Channel, b: Channel) {
  return (
    Number(isUnread(b)) - Number(isUnread(a)) ||
    Number(b.isMember) - Number(a.isMember) ||
    Date.parse(b.lastMessageAt ?? b.createdAt) - Date.parse(a.lastMessageAt ?? a.createdAt)
  )
}

const isUnread = ({ unread = 0, muted }: Channel) => unread > 0 && !muted

function destinationOf(channel: Channel, me: string, go: () => void): Destination {
  const { id, kind, name, isPrivate, _count } = channel
  if (kind !== 'direct') {
    const mark = isPrivate ? <Lock size={16} /> : <Hash size={16} />
    return { id, name, also: [], note: members(_count.members), isUnread: isUnread(channel), mark, go }
  }
  const others = othersIn(channel, me)
  const [other] = others
  const isGroup = others.length > 1
  return {
    id,
    name: others.map((person) => person.name).join(t('ui.listComma')),
    also: others.map(({ username }) => username),
    note: isGroup || !other ? members(_count.members) : `@${other.username}`,
    isUnread: isUnread(channel),
    mark: isGroup || !other ? <Users size={16} /> : <Avatar id={other.id} name={other.name} size="m" />,
    go,
  }
}

const personDestination = ({ id, name, username }: Profile, go: () => void): Destination => ({
  id,
  name,
  also: [username],
  note: `@${username}`,
  mark: <Avatar id={id} name={name} size="m" />,
  go,
})

const members = (count: number) => t('channels.memberCount', { count })
