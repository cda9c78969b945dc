import { sql } from 'kysely'
import type { SearchQuery } from './parse-search.ts'

/**
 * The channels that somebody may read: the rule of `can.readIn`, in the database.
 * @param place where others read what is found: of the closed ones this alone
 */
export const readable = (me: string, only: string[] | null, place?: string) => sql`
  select c.id from channels c where c."deletedAt" is null and c.kind = 'public' ${within(only)}
  union all
  select c.id from memberships m join channels c on c.id = m."channelId"
  where m."userId" = ${me} and c."deletedAt" is null and c.kind <> 'public' ${within(only)}
    ${within(place === undefined ? null : [place])}`

const within = (only: string[] | null) => (only ? sql`and c.id = any(${only}::uuid[])` : sql``)

/** `is true` makes it a look into a table of hashes; as a join it would go through all of them for each row. */
export const inReadable = (table: string) => sql`(${sql.ref(`${table}.channelId`)} in (select id from mine)) is true`

/** Milliseconds by which something's time may differ from that of its id, which is made before it waits for its turn. */
const DRIFT = 60_000

/** The ids of what is between the moments, with room for their drift, and before the cursor. */
export function idRange({ cursor, until, since }: SearchQuery) {
  const ends = [cursor, until === undefined ? undefined : firstId(until + DRIFT)].filter((it) => it !== undefined)
  return { end: ends.sort()[0], start: since === undefined ? undefined : firstId(since - DRIFT) }
}

const LAST = 2 ** 48 - 1
/** The least UUIDv7 of a millisecond. */
function firstId(ms: number) {
  const hex = Math.min(LAST, Math.max(0, ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

export const toTimestamp = (ms: number) => sql`to_timestamp(${ms}::float8 / 1000)`
