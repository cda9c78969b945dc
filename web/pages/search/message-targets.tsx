import { useQuery } from '@tanstack/react-query'
import { Hash, Lock } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { can } from '#contract/can'
import type { Channel } from '#contract/channels'
import type { Me, Profile } from '#contract/users'
import { allChannels } from '../../features/channels/cache/channel-queries.ts'
import { othersIn, titleOf } from '../../features/channels/cache/channel-title.ts'
import { type Candidate, candidate, matchesOf } from '../../features/search/destination.ts'
import { DirectMark } from '../../people/direct-mark.tsx'
import { useUserSearch } from '../../people/user-search.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { conversationCandidates, namesOf, partnersIn } from './conversation-candidates.ts'

/** A conversation, or a person without one. */
export type Target = { id: string; title: string } & ({ channel: Channel } | { person: Profile })

/**
 * The conversations, and people, that match a query, best first.
 * @param may whether I may do there what they are chosen for; a constant function
 */
export function useTargets(query: string, me: Me, may: (channel: Channel, me: Me) => boolean) {
  const { data: channels } = useQuery(allChannels)
  const { people, isCurrent } = useUserSearch(query.replace(/^@/, '').trim().toLowerCase())
  const targets = useMemo(() => {
    if (!channels) return undefined
    const partners = partnersIn(channels, me.id)
    const strangers: Candidate<Channel | Profile>[] = (people ?? [])
      .filter(({ id }) => id !== me.id && !partners.has(id))
      .map((person) => candidate(person, person.name, [person.username]))
    const conversations = conversationCandidates(channels, me.id).filter(({ item }) => may(item, me))
    const candidates = query.trim() === '' ? conversations : [...conversations, ...strangers]
    return matchesOf<Channel | Profile>(candidates, query).map((item) => targetOf(item, me))
  }, [channels, people, query, me, may])
  return { targets, isSettled: targets !== undefined && isCurrent }
}

/** Whether I may write in a conversation; false for one that is gone. */
export const mayPost = (channel: Channel | undefined, me: Me) =>
  channel !== undefined && can.writeIn(channel) && can.post(me, channel)

const targetOf = (item: Channel | Profile, me: Me): Target =>
  'kind' in item
    ? { id: item.id, title: titleOf(item, me.id), channel: item }
    : { id: item.id, title: `@${item.username}`, person: item }

export function TargetLine({ target, me }: { target: Target; me: Me }) {
  const { mark, name, note } = lineOf(target, me)
  return (
    <span className="flex min-w-0 flex-1 items-center gap-2 text-ui">
      <span className="grid w-6 flex-none place-items-center text-soft">{mark}</span>
      <bdi className="min-w-0 truncate font-[550] text-ink" title={name}>
        {name}
      </bdi>
      <bdi className="min-w-0 flex-1 truncate text-faint">{note}</bdi>
    </span>
  )
}

function lineOf(target: Target, me: Me): { mark: ReactNode; name: string; note: string } {
  if ('person' in target) {
    const { id, name, color, username } = target.person
    return { mark: <Avatar id={id} name={name} color={color} size="s" />, name, note: `@${username}` }
  }
  const { channel } = target
  const { name, also } = namesOf(channel, me.id)
  if (channel.kind === 'direct')
    return {
      mark: <DirectMark others={othersIn(channel, me.id)} size="s" />,
      name,
      note: also.length === 1 ? `@${also[0]}` : '',
    }
  return { mark: channel.isPrivate ? <Lock size={16} /> : <Hash size={16} />, name, note: '' }
}
