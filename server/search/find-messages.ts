import { type RawBuilder, sql } from 'kysely'
import type { HasKind } from '#contract/search-query'
import type { User } from '#contract/users'
import { readableChannels } from '../access/readable-channels.ts'
import type { Db } from '../db/database.ts'
import { containsPattern } from '../text/like-pattern.ts'
import { idRange, inReadable, toTimestamp } from './id-range.ts'
import { LINKS } from './links.ts'
import { factKey, gramsOf } from './ngrams.ts'
import type { SearchQuery } from './parse-search.ts'

/** A message that was found, as it is stored; `id` is a UUIDv7 and so in the order of time. */
export interface MessageHit extends Omit<User, 'id'> {
  id: string
  channelId: string
  threadId: string | null
  content: string
  timestamp: string
  userId: string
  /** The channel's name, or of a direct message its other people's. */
  place: string | null
  isDirect: boolean
}

/** Messages that are looked at one by one, the newest first, before the index is asked. */
const PROBE = 2000

/**
 * The newest messages that are query. What is common is met soon by looking at the newest ones; what is not is found by
 * the index, whose lists are then short. Each statement asks anew which channels its reader may read.
 */
export async function findMessages(db: Db, query: SearchQuery): Promise<MessageHit[]> {
  const met = await present(db, query, probe(query))
  return met.length >= query.limit ? met : present(db, query, byIndex(query))
}

/** Hits among the newest messages. */
const probe = (query: SearchQuery) => sql`
  hits as (
    select s."messageId" as id from (
      select * from message_search s where ${inRange(query)} order by s."messageId" desc limit ${sql.lit(PROBE)}
    ) s
    where ${inReadable('s')} and ${holds(query)}
    order by s."messageId" desc limit ${query.limit}
  )`

/**
 * Hits among all messages. Blocks are gone through by their newest message until there are enough hits; a block further
 * on may still hold a newer one than the oldest of them, so those that reach so far are gone through too.
 */
const byIndex = (query: SearchQuery) => sql`
  candidates as materialized (
    select b.id, b.newest from search_blocks b
    where ${inReadable('b')} and ${haveKeys(query)} and ${reach(query)}
  ), first as materialized (
    select s."messageId" as id from (select * from candidates order by newest desc offset 0) b
    cross join lateral (
      select s."messageId" from message_search s where s.block = b.id and ${inRange(query)} and ${holds(query)} offset 0
    ) s
    order by b.newest desc limit ${query.limit}
  ), hits as (
    select id from first
    union
    select s."messageId" from candidates b join message_search s on s.block = b.id
    where (select count(*) from first) = ${query.limit} and b.newest >= (select id from first order by id limit 1)
      and ${inRange(query)} and ${holds(query)}
    union
    select s."messageId" from message_search s
    where s.block is null and ${inRange(query)} and ${inReadable('s')} and ${holds(query)}
    order by id desc limit ${query.limit}
  )`

async function present(
  db: Db,
  { me, channels, place, limit }: SearchQuery,
  hits: RawBuilder<unknown>,
): Promise<MessageHit[]> {
  const { rows } = await sql<MessageHit>`
    with readable as materialized (${readableChannels(me, channels, place)}), ${hits}
    select m.id, m."channelId", m."threadId", m.content, m."createdAt" as timestamp, c.kind = 'direct' as "isDirect",
      u.id as "userId", u.username, u.name,
      case when c.kind <> 'direct' then c.name else (
        select string_agg(other.username, ', ' order by other.username)
        from memberships o join users other on other.id = o."userId" where o."channelId" = c.id and other.id <> ${me}
      ) end as place
    from hits join messages m on m.id = hits.id join channels c on c.id = m."channelId" join users u on u.id = m."userId"
    order by m.id desc limit ${limit}`.execute(db)
  return rows
}

/** What a message has that its text does not say; each has an index of the messages that have it. */
const MARKS = { reaction: sql`m.reactions <> '[]'`, file: sql`m.files <> '[]'` }
const isMarked = (kind: HasKind) => kind !== 'link'

/** Whether a text is one that is query: all its words, then what stands in the message itself. */
function holds({ terms, authors, until, since, has }: SearchQuery) {
  const patterns = terms.map(containsPattern)
  const links = LINKS.map(containsPattern)
  const facts = [
    ...(authors ? [sql`m."userId" = any(${authors}::text[])`] : []),
    ...(until === undefined ? [] : [sql`m."createdAt" < ${toTimestamp(until)}`]),
    ...(since === undefined ? [] : [sql`m."createdAt" >= ${toTimestamp(since)}`]),
    ...[...has].filter(isMarked).map((kind) => MARKS[kind]),
  ]
  const conditions = [
    ...(patterns.length > 0 ? [sql`s.text like all(${patterns}::text[])`] : []),
    ...(has.has('link') ? [sql`s.text like any(${links}::text[])`] : []),
    ...(facts.length > 0
      ? [sql`exists (select from messages m where m.id = s."messageId" and ${sql.join(facts, sql` and `)})`]
      : []),
  ]
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
}

/** The keys that a block must have to hold a message that is query. */
function haveKeys({ terms, channels, authors, has }: SearchQuery) {
  const keys = gramsOf(terms)
  if (channels?.length === 1) keys.push(factKey('channel', channels[0]))
  if (has.has('link')) keys.push(factKey('link'))
  const conditions = [
    ...(keys.length > 0 ? [sql`b.grams @> ${keys}::integer[]`] : []),
    ...(authors ? [sql`b.grams && ${authors.map((id) => factKey('author', id))}::integer[]`] : []),
    ...[...has].filter(isMarked).map(
      (kind) => sql`exists (
        select from messages m where m."channelId" = b."channelId" and m.id between b.oldest and b.newest
          and ${MARKS[kind]}
      )`,
    ),
  ]
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
}

function inRange(query: SearchQuery) {
  const { end, start } = idRange(query)
  return sql`${end ? sql`s."messageId" < ${end}::uuid` : sql`true`}
    and ${start ? sql`s."messageId" >= ${start}::uuid` : sql`true`}`
}

function reach(query: SearchQuery) {
  const { end, start } = idRange(query)
  return sql`${end ? sql`b.oldest < ${end}::uuid` : sql`true`} and ${start ? sql`b.newest >= ${start}::uuid` : sql`true`}`
}
