import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { limits } from '#contract/limits'
import { type FilterName, filterBefore, filterText, type HasKind, type SearchFilter } from '#contract/search-query'
import { allChannels } from '../../features/channels/cache/channel-queries.ts'
import { titleOf } from '../../features/channels/cache/channel-title.ts'
import type { SearchRow } from '../../features/search/result-list.tsx'
import { completeFilter, type Edited } from '../../features/search/split-query.ts'
import { dateFormat } from '../../i18n/format.ts'
import { type PlainTextId, t } from '../../i18n/text.ts'
import { useMe } from '../../me.tsx'
import { allUsers } from '../../people/user-queries.ts'
import { Avatar } from '../../ui/avatar.tsx'
import { directValue, useFilterOptions } from './filter-options.tsx'

const MAX_OFFERED = 6

/** Completions of the filter that is being typed. */
export function useFilterRows(edited: Edited, write: (edited: Edited) => void): SearchRow[] {
  const typed = filterBefore(edited.text, edited.caret)
  const options = useFilterOptions(typed?.name, typed?.value ?? '')
  if (!typed) return []
  const others = options.filter(({ value }) => value.toLowerCase() !== typed.value)
  return others.slice(0, MAX_OFFERED).map(({ value, content }) => {
    const filter = filterText(typed.name, value)
    return {
      id: `filter ${filter}`,
      completes: true,
      act: () => write(completeFilter(edited, filter)),
      content: <div className="flex h-9 items-center gap-3 text-ui pointer-coarse:h-11">{content}</div>,
    }
  })
}

const FILTER_NAMES: Record<FilterName, PlainTextId> = {
  from: 'search.filter.from',
  in: 'search.filter.in',
  has: 'search.filter.has',
  before: 'search.filter.before',
  after: 'search.filter.after',
}
export const filterButtons = () =>
  (['from', 'in', 'has', 'before', 'after'] as const).map((name) => ({ name, label: t(FILTER_NAMES[name]) }))

const HAS: Record<HasKind, PlainTextId> = {
  link: 'search.has.link',
  file: 'search.has.file',
  reaction: 'search.has.reaction',
}

/** A day, or a local time, in words. */
function momentText(moment: string) {
  const isTime = moment.includes('T')
  return dateFormat({ dateStyle: 'medium', ...(isTime ? { timeStyle: 'short' } : { timeZone: 'UTC' }) }).format(
    new Date(moment),
  )
}

/** The meaning of a finished filter's value, in words; undefined if it is not known. */
export function useFilterMeaning(): (
  filter: SearchFilter,
) => { label: string; meaning: string; mark?: ReactNode } | undefined {
  const me = useMe()
  const { data: people = [] } = useQuery(allUsers)
  const { data: channels = {} } = useQuery(allChannels)

  const sought = (value: string) => {
    const username = value.replace(/^@/, '')
    return people.find((it) => it.username === (username === 'me' ? me.username : username))
  }

  function meaningOf({ name, value }: SearchFilter) {
    if (name === 'has') return t(HAS[value as HasKind])
    if (name === 'before' || name === 'after') return momentText(value.toUpperCase())
    if (name === 'from') {
      const username = value.replace(/^@/, '')
      if (username === 'me' || username === me.username) return t('search.filter.me')
      const person = sought(value)
      // A directory longer than one response is never complete.
      return person?.name ?? (people.length >= limits.people ? `@${username}` : undefined)
    }
    const channel = Object.values(channels).find((it) =>
      it.kind === 'direct' ? directValue(it, me.id) === value : it.name.toLowerCase() === value.replace(/^#/, ''),
    )
    return channel && titleOf(channel, me.id)
  }

  return (filter) => {
    const meaning = meaningOf(filter)
    if (meaning === undefined) return undefined
    const person = filter.name === 'from' ? sought(filter.value) : undefined
    const mark = person && <Avatar id={person.id} name={person.name} color={person.color} size="xs" />
    return { label: t(FILTER_NAMES[filter.name]), meaning, mark }
  }
}
