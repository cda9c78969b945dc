import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Megaphone } from 'lucide-react'
import { useEffect } from 'react'
import type { Group } from '#contract/groups'
import { ASSISTANT } from '#contract/ids'
import type { Profile } from '#contract/users'
import { memberIds, memberSearch } from '../../features/channels/cache/member-queries.ts'
import { useChannel } from '../../features/channels/cache/use-channel.ts'
import { matchNames, rankOf } from '../../features/messages/suggestions/match-names.ts'
import { type Suggestion, SuggestionList } from '../../features/messages/suggestions/suggestion-list.tsx'
import type { SuggestionHost } from '../../features/messages/suggestions/use-suggestions.tsx'
import { type TextId, t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { GroupLine } from '../../people/group-line.tsx'
import { allGroups } from '../../people/group-queries.ts'
import { UserLine } from '../../people/user-line.tsx'
import { useUserSearch } from '../../people/user-search.ts'
import { useDebounced } from '../../ui/input/use-debounced.ts'

interface Props {
  channelId: string
  word: string
  host: SuggestionHost
}

const MAX_SUGGESTED = { members: 20, groups: 10, others: 10 }

const BROADCASTS = [
  { username: 'channel', name: 'suggestions.everyone' },
  { username: 'here', name: 'suggestions.everyoneOnline' },
] as const satisfies { username: string; name: TextId }[]

/** Suggests people to mention: members of the channel, '@channel' and '@here', groups, then others, myself last. */
export function SuggestedPeople({ channelId, word, host }: Props) {
  const me = useMe()
  const sought = useDebounced(word)
  const { people, error } = useUserSearch(sought)
  const members = useMembers(channelId, sought)
  const { data: groups = [] } = useQuery(allGroups)
  useEffect(() => {
    if (error) console.error('Failed to load users:', error)
  }, [error])

  // The first suggestion must not change just before Enter picks it.
  if (!people || !members) return null
  const { ids, isWhole, profiles, count } = members
  const all = [...new Map([...profiles, ...people].map((person) => [person.id, person])).values()]
  const fitting = matchNames(word, all).filter(({ id }) => id !== me.id)
  // The assistant answers wherever it is mentioned.
  const isReached = ({ id }: Profile) => ids.has(id) || id === ASSISTANT
  const inside = fitting.filter(isReached).slice(0, MAX_SUGGESTED.members)
  const outside = fitting.filter((person) => !isReached(person)).slice(0, MAX_SUGGESTED.others)
  const fittingGroups = matchNames(word, groups).slice(0, MAX_SUGGESTED.groups)
  const broadcasts = BROADCASTS.filter(({ username }) => count > 2 && username.startsWith(word))
  const self = all.filter((person) => person.id === me.id && rankOf(word, person) !== undefined)
  const suggestions = [
    ...inside.map((person) => personOption(person)),
    ...broadcasts.map(broadcastOption),
    ...fittingGroups.map(groupOption),
    ...outside.map((person) => personOption(person, isWhole ? t('suggestions.notInChannel') : undefined)),
    ...self.map((person) => personOption(person, t('people.you'))),
  ]
  return <SuggestionList name={t('suggestions.people')} host={host} suggestions={suggestions} />
}

const personOption = (person: Profile, note?: string): Suggestion => ({
  id: person.id,
  text: `@${person.username}`,
  content: (
    <>
      <UserLine person={person} />
      {note && <span className="flex-none text-faint text-meta">{note}</span>}
    </>
  ),
})

const groupOption = (group: Group): Suggestion => ({
  id: group.id,
  text: `@${group.username}`,
  content: (
    <>
      <GroupLine group={group} />
      <span className="ms-auto flex-none text-faint text-meta">{t('groups.count', { count: group.peopleCount })}</span>
    </>
  ),
})

const broadcastOption = ({ username, name }: (typeof BROADCASTS)[number]): Suggestion => ({
  id: username,
  text: `@${username}`,
  content: (
    <>
      <span className="me-1 grid size-7 flex-none place-items-center rounded-m bg-sunk text-soft">
        <Megaphone size={16} />
      </span>
      <bdi dir="ltr" className="font-[550] text-ink">
        @{username}
      </bdi>
      <span className="min-w-0 truncate text-faint">{t(name)}</span>
    </>
  ),
})

/** In larger channels the server searches the members. */
const MAX_LISTED_MEMBERS = 300
const STALE_TIME_MS = 30_000

/** The members of a channel, and whether those are all; undefined while unknown. */
function useMembers(channelId: string, sought: string) {
  const { channel } = useChannel(channelId)
  const count = channel?._count.members ?? 0
  const isListed = channel?.kind === 'direct'
  const isMany = count > MAX_LISTED_MEMBERS
  const whole = useQuery({
    ...memberIds(channelId),
    staleTime: STALE_TIME_MS,
    enabled: channel !== undefined && !isListed && !isMany,
  })
  const some = useInfiniteQuery({
    ...memberSearch(channelId, sought),
    staleTime: STALE_TIME_MS,
    enabled: !isListed && isMany,
  })
  const error = isMany ? some.error : whole.error
  useEffect(() => {
    if (error) console.error('Failed to load members:', error)
  }, [error])

  if (isListed) return { ids: idsOf(channel.members), isWhole: true, profiles: channel.members, count }
  // Without the members everyone is suggested.
  if (error) return { ids: new Set<string>(), isWhole: false, profiles: [], count }
  if (isMany) {
    const profiles = some.data?.pages.flatMap(({ members }) => members)
    return profiles && { ids: idsOf(profiles), isWhole: false, profiles, count }
  }
  return whole.data && { ids: whole.data, isWhole: true, profiles: [], count }
}

const idsOf = (people: readonly Profile[]) => new Set(people.map(({ id }) => id))
