import { useQuery } from '@tanstack/react-query'
import { CalendarDays, Hash, Link, Lock, type LucideIcon, Paperclip, SmilePlus } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Channel } from '#contract/channels'
import { type FilterName, type HasKind, hasKinds } from '#contract/search-query'
import { allChannels } from '../../features/channels/cache/channel-queries.ts'
import { othersIn, titleOf } from '../../features/channels/cache/channel-title.ts'
import { matchNames } from '../../features/messages/suggestions/match-names.ts'
import { localDay } from '../../features/search/local-days.ts'
import { type PlainTextId, t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { DirectMark } from '../../people/direct-mark.tsx'
import { UserLine } from '../../people/user-line.tsx'
import { useUserSearch } from '../../people/user-search.ts'
import { serverNow } from '../../ui/format/clock.ts'

/** A value that a filter may have. */
interface FilterOption {
  value: string
  content: ReactNode
}

const HAS: Record<HasKind, [Icon: LucideIcon, description: PlainTextId]> = {
  link: [Link, 'search.has.linkHint'],
  file: [Paperclip, 'search.has.fileHint'],
  reaction: [SmilePlus, 'search.has.reactionHint'],
}
const DAYS = [
  ['time.today', 0],
  ['time.yesterday', 1],
  ['search.aWeekAgo', 7],
  ['search.aMonthAgo', 30],
] as const

/** The values of a filter that match its typed part, best first. */
export function useFilterOptions(name: FilterName | undefined, typed: string): FilterOption[] {
  const me = useMe()
  const isPerson = name === 'from'
  const { people = [] } = useUserSearch(isPerson ? typed.replace(/^@/, '') : '')
  const { data: channels } = useQuery(allChannels)
  if (isPerson) {
    const fitting = matchNames(typed.replace(/^@/, ''), people)
    return fitting.map((person) => ({
      value: person.username,
      content: (
        <>
          <UserLine person={person} />
          {person.id === me.id && <span className="flex-none text-faint text-meta">{t('people.you')}</span>}
        </>
      ),
    }))
  }
  if (name === 'in') {
    const places = Object.values(channels ?? {}).map((channel) => placeOf(channel, me.id))
    return matchNames(
      typed.replace(/^[#@]/, ''),
      places.filter(({ value }) => !typed.startsWith('@') || value[0] === '@'),
    )
  }
  if (name === 'has')
    return hasKinds.flatMap((kind) => {
      const [Icon, description] = HAS[kind]
      return kind.startsWith(typed)
        ? { value: kind, content: <Line mark={<Icon size={16} />} name={kind} note={t(description)} /> }
        : []
    })
  if (name === undefined) return []
  // The given day is excluded, and nothing is later than today.
  const days = DAYS.filter(([, ago]) => name === 'before' || ago > 0)
  return days.flatMap(([id, ago]) => {
    const label = t(id)
    const value = localDay(new Date(serverNow()), ago)
    const isFitting = value.startsWith(typed) || label.toLowerCase().startsWith(typed)
    return isFitting ? { value, content: <Line mark={<CalendarDays size={16} />} name={label} note={value} /> } : []
  })
}

/** A conversation as the value of `in:`. */
function placeOf(channel: Channel, me: string) {
  const { kind, name, topic, isPrivate } = channel
  if (kind !== 'direct') {
    const mark = isPrivate ? <Lock size={16} /> : <Hash size={16} />
    return { name, value: name, content: <Line mark={mark} name={name} note={topic} /> }
  }
  const title = titleOf(channel, me).replace(/^@/, '')
  const value = directValue(channel, me)
  return {
    name: title,
    value,
    content: <Line mark={<DirectMark others={othersIn(channel, me)} />} name={title} note={value} />,
  }
}

/** How a direct message is named in a search: by the usernames of the others. */
export const directValue = (channel: Channel, me: string) =>
  `@${othersIn(channel, me)
    .map(({ username }) => username)
    .sort()
    .join(',')}`

function Line({ mark, name, note }: { mark: ReactNode; name: string; note: string | null }) {
  return (
    <>
      <span className="grid w-7 flex-none place-items-center text-soft">{mark}</span>
      <bdi className="min-w-0 max-w-full flex-none truncate font-[550] text-ink" title={name}>
        {name}
      </bdi>
      <bdi className="min-w-0 truncate text-faint">{note}</bdi>
    </>
  )
}
