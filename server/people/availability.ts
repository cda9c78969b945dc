import { sql } from 'kysely'
import { databaseTime } from '../db/clock.ts'
import type { Db } from '../db/database.ts'

/** People who appear offline to everybody. */
export const readInvisible = async (db: Db) =>
  (await db.selectFrom('users').select('id').where('availability', '=', 'invisible').execute()).map(({ id }) => id)

/** In SQL: whether a user currently does not want to be disturbed. */
export const isQuiet = sql<boolean>`(users.availability = 'quiet' and users."quietUntil" > now())`

const YEAR_MS = 366 * 24 * 3600 * 1000

/** Whether a time lies within the next year. */
export function isWithinYear(time: string) {
  const ms = Date.parse(time) - databaseTime()
  return ms > 0 && ms <= YEAR_MS
}
