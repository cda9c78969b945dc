import { sql } from 'kysely'
import type { User } from '#contract/users'
import { readableChannels } from '../access/readable-channels.ts'
import type { Db } from '../db/database.ts'
import { containsPattern } from '../text/like-pattern.ts'
import { idRange, inReadable, toTimestamp } from './id-range.ts'
import type { SearchQuery } from './parse-search.ts'

/** A file that was found, as it is stored. */
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

/** Whether files are meant: by a word of their name, or said so. Links and reactions are a message's. */
export const includesFiles = ({ terms, has }: SearchQuery, type: 'message' | 'file' | undefined) =>
  type !== 'message' &&
  (type === 'file' || terms.length > 0 || has.has('file')) &&
  !has.has('link') &&
  !has.has('reaction')

/** The newest files that are query. There are far fewer of them than messages: their names are gone through. */
export async function findFiles(db: Db, query: SearchQuery): Promise<FileHit[]> {
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
    from files f join users u on u.id = f."userId"
    where f."isShown" and ${inReadable('f')} and ${conditions.length > 0 ? sql.join(conditions, sql` and `) : sql`true`}
    order by f.id desc limit ${limit}`.execute(db)
  return rows
}
