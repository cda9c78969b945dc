import { type RawBuilder, sql } from 'kysely'
import type { User } from '#contract/users'
import { readableChannels } from '../access/readable-channels.ts'
import type { Db } from '../db/database.ts'
import { containsPattern } from '../text/like-pattern.ts'
import { type Candidate, findNewest, type SearchDatabases } from './find-newest.ts'
import { idRange, inReadable, toTimestamp } from './id-range.ts'
import type { ResolvedSearch } from './parse-search.ts'

export interface FileHit extends Omit<User, 'id'> {
  id: string
  channelId: string
  messageId: string | null
  fileName: string
  type: string
  size: number
  timestamp: string
  userId: string
}

/**
 * Whether a search includes files: it has words for their names, or filters for files. Filters for links and reactions exclude
 * them.
 */
export const includesFiles = ({ terms, has }: ResolvedSearch, type: 'message' | 'file' | undefined) =>
  type !== 'message' &&
  (type === 'file' || terms.length > 0 || has.has('file')) &&
  !has.has('link') &&
  !has.has('reaction')

/** How many of the newest files are searched on the primary even if there is a replica. */
const RECENT_FILES = 200

/** The newest matching files. Names are scanned, because there are far fewer files than messages. */
export const findFiles = (databases: SearchDatabases, query: ResolvedSearch): Promise<FileHit[]> =>
  findNewest(databases, {
    limit: query.limit,
    recent: async (db) => (databases.replica ? readHits(db, query, RECENT) : []),
    all: (db) => readHits(db, query, ALL),
    candidates: (db) => readHits(db, query, ALL),
    confirm: (db, candidates) => readHits(db, query, among(candidates)),
  })

const ALL = sql`files`
const RECENT = sql`(select * from files where "isShown" order by id desc limit ${sql.lit(RECENT_FILES)})`
const among = (candidates: Candidate[]) => sql`
  (select * from files where id = any(${candidates.map(({ id }) => id)}::uuid[]))`

async function readHits(db: Db, query: ResolvedSearch, files: RawBuilder<unknown>): Promise<FileHit[]> {
  const { me, terms, channels, authors, until, since, limit } = query
  const { start, end } = idRange(query)
  const conditions = [
    ...(terms.length > 0 ? [sql`f."foldedName" like all(${terms.map(containsPattern)}::text[])`] : []),
    ...(authors ? [sql`f."userId" = any(${authors}::text[])`] : []),
    ...(end === undefined ? [] : [sql`f.id < ${end}::uuid`]),
    ...(start === undefined ? [] : [sql`f.id >= ${start}::uuid`]),
    ...(until === undefined ? [] : [sql`f."createdAt" < ${toTimestamp(until)}`]),
    ...(since === undefined ? [] : [sql`f."createdAt" >= ${toTimestamp(since)}`]),
  ]
  const { rows } = await sql<FileHit>`
    with readable as materialized (${readableChannels(me, channels)})
    select f.id, f."channelId", f."messageId", f.name as "fileName", f.type, f.size, f."createdAt" as timestamp,
      u.id as "userId", u.username, u.name
    from ${files} f join users u on u.id = f."userId"
    where f."isShown" and ${inReadable('f')} and ${conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`}
    order by f.id desc limit ${limit}`.execute(db)
  return rows
}
