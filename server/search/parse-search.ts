import { sql } from 'kysely'
import type { InputOf } from '#contract/endpoint'
import { fold } from '#contract/fold'
import type { search } from '#contract/search'
import { type HasKind, momentsOf, readQuery, type SearchFilter } from '#contract/search-query'
import { isKnownTo, isReadable } from '../access/readable-channels.ts'
import type { Db } from '../db/database.ts'

/** A search with its names resolved to ids; null means any. */
export interface ResolvedSearch {
  me: string
  /** Folded. */
  terms: string[]
  /** Folded words of ASCII characters that must not be parts of others. */
  wholeWords?: string[]
  channels: string[] | null
  authors: string[] | null
  /** The channel where others will read the results: omits results from other private channels. */
  sharedWith?: string | undefined
  /** Milliseconds since the epoch; `until` is exclusive, `since` inclusive. */
  until: number | undefined
  since: number | undefined
  has: Set<HasKind>
  cursor: string | undefined
  limit: number
}

type Query = InputOf<typeof search>['query']

/**
 * Combines the call's filters with those typed into `q`. Several users or channels match any of them; all other filters must
 * match together.
 * @returns undefined if nothing can match: the search is empty, or the call names an unknown user
 */
export async function parseSearch(db: Db, me: string, query: Query): Promise<ResolvedSearch | undefined> {
  const { terms, filters } = readQuery(query.q)
  const typed = (name: SearchFilter['name']) => filters.filter((filter) => filter.name === name)
  const names = await resolve(db, me, [...typed('from'), ...typed('in')], query.from)
  if (query.from && !names.author) return undefined

  // Filters with an unknown name are searched for as text, including channels that the viewer may not read.
  const literal = names.unknown.map(({ text }) => text)
  const folded = [...terms, ...literal].map(fold).filter((term) => term.trim() !== '')
  const before = [query.before, ...typed('before').map(({ value }) => value.toUpperCase())]
  const after = [query.after, ...typed('after').map(({ value }) => value.toUpperCase())]
  const moments = [...before.map((day) => momentsOf(day, undefined)), ...after.map((day) => momentsOf(undefined, day))]
  const [untils, sinces] = [moments.flatMap(({ until }) => until ?? []), moments.flatMap(({ since }) => since ?? [])]
  const has = new Set(typed('has').map(({ value }) => value as HasKind))
  if (query.has) has.add(query.has)
  const parsed: ResolvedSearch = {
    me,
    terms: withoutContained(folded),
    channels: intersect(names.channels, query.channelId ? [query.channelId] : []),
    authors: intersect(names.people, names.author ? [names.author] : []),
    until: untils.length > 0 ? Math.min(...untils) : undefined,
    since: sinces.length > 0 ? Math.max(...sinces) : undefined,
    has,
    cursor: query.cursor,
    limit: query.limit,
  }
  const { channels, authors, until, since } = parsed
  const isAnything = parsed.terms.length > 0 || channels || authors || until !== undefined || since !== undefined
  return isAnything || has.size > 0 ? parsed : undefined
}

/** Drops terms that are contained in another one. */
const withoutContained = (terms: string[]) => {
  const all = [...new Set(terms)].sort((a, b) => b.length - a.length)
  return all.filter((term, i) => !all.slice(0, i).some((longer) => longer.includes(term)))
}

/** The intersection; an empty list means no restriction. */
function intersect(first: string[], second: string[]): string[] | null {
  if (first.length === 0 || second.length === 0) return first.length + second.length > 0 ? [...first, ...second] : null
  return first.filter((id) => second.includes(id))
}

type Named = Pick<SearchFilter, 'value' | 'written'>

interface Found {
  kind: 'from' | 'in' | 'author'
  id: string
  name: string
}

/** Looks up the named users and channels in one query; finds only channels that the viewer may read. */
async function resolve(db: Db, me: string, filters: SearchFilter[], author: string | undefined) {
  const named = filters.map(({ name, value, ...rest }) => ({
    ...rest,
    name,
    value: name === 'from' ? value.replace(/^@/, '') : value,
  }))
  const [people, channels] = [named.filter(({ name }) => name === 'from'), named.filter(({ name }) => name === 'in')]
  const found = named.length > 0 || author !== undefined ? await find(db, me, people, channels, author) : []
  const isKnown = ({ name, value }: SearchFilter) => found.some((match) => match.kind === name && match.name === value)
  return {
    author: found.find(({ kind }) => kind === 'author')?.id,
    people: found.filter(({ kind }) => kind === 'from').map(({ id }) => id),
    channels: found.filter(({ kind }) => kind === 'in').map(({ id }) => id),
    unknown: named.filter((filter) => !isKnown(filter)),
  }
}

/** Channels match with or without `#`; direct messages are written as `@` and the other people's usernames. */
async function find(db: Db, me: string, people: Named[], channels: Named[], author = ''): Promise<Found[]> {
  const values = (filters: Named[]) => filters.map(({ value }) => value)
  const { rows } = await sql<Found>`
    select 'author' as kind, id, '' as name from users
    where (id = ${author} or username = lower(${author.replace(/^@/, '')}) or (id = ${me} and lower(${author}) = 'me'))
      and ${isKnownTo(me, 'users.id')}
    union all
    select 'from', u.id, requested.name from unnest(${values(people)}::text[]) as requested(name)
    join users u on (u.username = requested.name or (u.id = ${me} and requested.name = 'me')) and ${isKnownTo(me, 'u.id')}
    union all
    select 'in', c.id::text, requested.name
    from unnest(${values(channels)}::text[], ${channels.map(({ written }) => written)}::text[]) as requested(name, written)
    join channels c on c."deletedAt" is null and c.kind <> 'direct'
      and lower(c.name) in (ltrim(requested.name, '#'), lower(ltrim(requested.written, '#')))
    left join memberships m on m."channelId" = c.id and m."userId" = ${me}
    where ${isReadable(me, 'c', 'm')}
    union all
    select 'in', c.id::text, requested.name from unnest(${values(channels)}::text[]) as requested(name)
    join memberships m on m."userId" = ${me}
    join channels c on c.id = m."channelId" and c."deletedAt" is null and c.kind = 'direct'
    where requested.name like '@%' and requested.name = (
      select '@' || string_agg(u.username, ',' order by u.username collate "C") from memberships other
      join users u on u.id = other."userId" where other."channelId" = c.id and u.id <> ${me}
    )`.execute(db)
  return rows
}
