import { sql } from 'kysely'
import type { ResolvedSearch } from './parse-search.ts'

/** `is true` forces a hash lookup; a join would scan all readable channels for each row. */
export const inReadable = (table: string) =>
  sql`(${sql.ref(`${table}.channelId`)} in (select id from readable)) is true`

/** Ids are created before their row is queued, so their time may be this much earlier than the row's own. */
const ID_DRIFT_MS = 60_000

/** The ids between the query's times, widened by the drift, and before its cursor. */
export function idRange({ cursor, until, since }: ResolvedSearch) {
  const ends = [cursor, until === undefined ? undefined : firstId(until + ID_DRIFT_MS)].filter((id) => id !== undefined)
  return { end: ends.sort()[0], start: since === undefined ? undefined : firstId(since - ID_DRIFT_MS) }
}

const LAST = 2 ** 48 - 1
/** The smallest UUIDv7 of a millisecond. */
function firstId(ms: number) {
  const hex = Math.min(LAST, Math.max(0, ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`
}

export const toTimestamp = (ms: number) => sql`to_timestamp(${ms}::float8 / 1000)`
