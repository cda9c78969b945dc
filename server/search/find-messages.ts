import { type RawBuilder, sql } from 'kysely'
import type { HasKind } from '#contract/search-query'
import type { User } from '#contract/users'
import { readableChannels } from '../access/readable-channels.ts'
import type { Db } from '../db/database.ts'
import { containsPattern } from '../text/like-pattern.ts'
import { type Candidate, findNewest, type SearchDatabases } from './find-newest.ts'
import { idRange, inReadable, toTimestamp } from './id-range.ts'
import { LINKS } from './links.ts'
import { factKey, gramsOf } from './ngrams.ts'
import type { ResolvedSearch } from './parse-search.ts'

/** `id` is a UUIDv7, so hits sort by time. */
export interface MessageHit extends Omit<User, 'id'> {
  id: string
  channelId: string
  threadId: string | null
  content: string
  timestamp: string
  userId: string
  /** The channel's name, or the other people's usernames in a direct message. */
  channelName: string | null
  isDirect: boolean
}

/**
 * How many of the newest messages are scanned without the index: at first, and at most if the first scan suggests that so many
 * are enough.
 */
const SCAN = { first: 2000, most: 50_000 }
/** Safety factor on the number of messages that should be enough. */
const SCAN_MARGIN = 2

/**
 * The newest matching messages. A scan of the newest messages finds common words quickly; rare words are left to the index, whose
 * lists are short in that case. Each statement checks which channels the viewer may read.
 * @param scan smaller in tests
 */
export const findMessages = (databases: SearchDatabases, query: ResolvedSearch, scan = SCAN): Promise<MessageHit[]> =>
  findNewest(databases, {
    limit: query.limit,
    recent: (db) => scanNewest(db, query, scan),
    all: (db) => readHits(db, query, amongAll(query)),
    candidates: (db) => readCandidates(db, query),
    confirm: (db, candidates) => {
      const channels = [...new Set(candidates.map(({ channelId }) => channelId))]
      return readHits(db, { ...query, channels }, among(candidates, query))
    },
  })

/** For a word in one of a thousand messages, the index returns so many blocks that scanning all messages is faster. */
async function scanNewest(db: Db, query: ResolvedSearch, { first, most }: typeof SCAN): Promise<MessageHit[]> {
  const hits = await readHits(db, query, amongNewest(query, first))
  if (hits.length === 0 || hits.length >= query.limit) return hits
  const enough = Math.ceil((first * SCAN_MARGIN * query.limit) / hits.length)
  return enough <= most ? readHits(db, query, amongNewest(query, enough)) : hits
}

const amongNewest = (query: ResolvedSearch, count: number) => sql`
  hits as (
    select s."messageId" as id from (
      select * from message_search s where ${inRange(query)} order by s."messageId" desc limit ${sql.lit(count)}
    ) s
    where ${inReadable('s')} and ${matches(query)}
    order by s."messageId" desc limit ${query.limit}
  )`

const amongAll = (query: ResolvedSearch) => {
  const fact = [...query.has].find(isFact)
  return fact && query.terms.length === 0 ? byFact(query, fact) : byIndex(query)
}

/** Hits among the messages with reactions or files, channel by channel. Blocks don't contain these facts. */
const byFact = (query: ResolvedSearch, fact: Fact) => sql`
  hits as (
    select found.id from readable cross join lateral (
      select m.id from messages m join message_search s on s."messageId" = m.id
      where m."channelId" = readable.id and ${FACTS[fact]} and ${inRange(query)} and ${matches(query)}
      order by m.id desc limit ${query.limit}
    ) found
    order by id desc limit ${query.limit}
  )`

/**
 * Hits among all messages. Blocks are scanned in the order of their newest message until there are enough hits. A later block may
 * still contain a newer message than the oldest hit, so all blocks that reach that far are scanned as well.
 */
const byIndex = (query: ResolvedSearch) => sql`
  candidates as materialized (
    select b.id, b.newest from search_blocks b
    where ${inReadable('b')} and ${mayContain(query)} and ${blockInRange(query)}
  ), first as materialized (
    select s."messageId" as id from (select * from candidates order by newest desc offset 0) b
    cross join lateral (
      select s."messageId" from message_search s where s.block = b.id and ${inRange(query)} and ${matches(query)} offset 0
    ) s
    order by b.newest desc limit ${query.limit}
  ), hits as (
    select id from first
    union
    select s."messageId" from candidates b join message_search s on s.block = b.id
    where (select count(*) from first) = ${query.limit} and b.newest >= (select id from first order by id limit 1)
      and ${inRange(query)} and ${matches(query)}
    union
    select s."messageId" from message_search s
    where s.block is null and ${inRange(query)} and ${inReadable('s')} and ${matches(query)}
    order by id desc limit ${query.limit}
  )`

const among = (candidates: Candidate[], query: ResolvedSearch) => sql`
  hits as (
    select s."messageId" as id from message_search s
    where s."messageId" = any(${candidates.map(({ id }) => id)}::uuid[]) and ${inReadable('s')} and ${matches(query)}
  )`

async function readCandidates(db: Db, query: ResolvedSearch): Promise<Candidate[]> {
  const { me, channels, sharedWith } = query
  const { rows } = await sql<Candidate>`
    with readable as materialized (${readableChannels(me, channels, sharedWith)}), ${amongAll(query)}
    select s."messageId" as id, s."channelId" from hits join message_search s on s."messageId" = hits.id`.execute(db)
  return rows
}

async function readHits(
  db: Db,
  { me, channels, sharedWith, limit }: ResolvedSearch,
  hits: RawBuilder<unknown>,
): Promise<MessageHit[]> {
  const { rows } = await sql<MessageHit>`
    with readable as materialized (${readableChannels(me, channels, sharedWith)}), ${hits}
    select m.id, m."channelId", m."threadId", m.content, m."createdAt" as timestamp, c.kind = 'direct' as "isDirect",
      u.id as "userId", u.username, u.name,
      case when c.kind <> 'direct' then c.name else (
        select string_agg(other.username, ', ' order by other.username)
        from memberships o join users other on other.id = o."userId" where o."channelId" = c.id and other.id <> ${me}
      ) end as "channelName"
    from hits join messages m on m.id = hits.id join channels c on c.id = m."channelId" join users u on u.id = m."userId"
    order by m.id desc limit ${limit}`.execute(db)
  return rows
}

/** Facts that are not in a message's text; each has an index. */
const FACTS = { reaction: sql`m.reactions <> '[]'`, file: sql`m.files <> '[]'` }
type Fact = keyof typeof FACTS
const isFact = (kind: HasKind): kind is Fact => kind !== 'link'

/** Condition on a text: all words, and the facts stored with the message. */
function matches({ terms, wholeWords = [], authors, until, since, has }: ResolvedSearch) {
  const patterns = terms.map(containsPattern)
  const links = LINKS.map(containsPattern)
  const facts = [
    ...(authors ? [sql`m."userId" = any(${authors}::text[])`] : []),
    ...(until === undefined ? [] : [sql`m."createdAt" < ${toTimestamp(until)}`]),
    ...(since === undefined ? [] : [sql`m."createdAt" >= ${toTimestamp(since)}`]),
    ...[...has].filter(isFact).map((kind) => FACTS[kind]),
  ]
  const conditions = [
    ...(patterns.length > 0 ? [sql`s.text like all(${patterns}::text[])`] : []),
    ...(wholeWords.length > 0 ? [sql`s.text ~ all(${wholeWords.map(wordPattern)}::text[])`] : []),
    ...(has.has('link') ? [sql`s.text like any(${links}::text[])`] : []),
    ...(facts.length > 0
      ? [sql`exists (select from messages m where m.id = s."messageId" and ${sql.join(facts, sql` and `)})`]
      : []),
  ]
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
}

/** A regular expression of PostgreSQL. */
const wordPattern = (word: string) =>
  `${/^[a-z0-9]/.test(word) ? '\\m' : ''}${word.replace(/[^a-z0-9]/g, '\\$&')}${/[a-z0-9]$/.test(word) ? '\\M' : ''}`

/** Condition on a block: it has all keys of a matching message. */
function mayContain({ terms, channels, authors, has }: ResolvedSearch) {
  const keys = gramsOf(terms)
  if (channels?.length === 1) keys.push(factKey('channel', channels[0]))
  if (has.has('link')) keys.push(factKey('link'))
  const conditions = [
    ...(keys.length > 0 ? [sql`b.grams @> ${keys}::integer[]`] : []),
    ...(authors ? [sql`b.grams && ${authors.map((id) => factKey('author', id))}::integer[]`] : []),
    ...[...has].filter(isFact).map(
      (kind) => sql`exists (
        select from messages m where m."channelId" = b."channelId" and m.id between b.oldest and b.newest
          and ${FACTS[kind]}
      )`,
    ),
  ]
  return conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`
}

function inRange(query: ResolvedSearch) {
  const { end, start } = idRange(query)
  return sql`${end ? sql`s."messageId" < ${end}::uuid` : sql`true`}
    and ${start ? sql`s."messageId" >= ${start}::uuid` : sql`true`}`
}

function blockInRange(query: ResolvedSearch) {
  const { end, start } = idRange(query)
  return sql`${end ? sql`b.oldest < ${end}::uuid` : sql`true`} and ${start ? sql`b.newest >= ${start}::uuid` : sql`true`}`
}
