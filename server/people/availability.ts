import { sql, type Transaction } from 'kysely'
import { databaseTime } from '../db/clock.ts'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { unauthenticated } from '../errors.ts'

/** People who appear offline to everybody. */
export const readInvisible = async (db: Db) =>
  (await db.selectFrom('users').select('id').where('availability', '=', 'invisible').execute()).map(({ id }) => id)

/**
 * In SQL: whether others see that a user currently does not want to be disturbed. Invisible people look like those who are offline.
 */
export const isQuiet = sql<boolean>`(users.availability in ('quiet', 'invisible') and users."quietUntil" > now())`

const YEAR_MS = 366 * 24 * 3600 * 1000

/** Whether a time lies within the next year. */
export function isWithinYear(time: string) {
  const ms = Date.parse(time) - databaseTime()
  return ms > 0 && ms <= YEAR_MS
}

/**
 * Until `quietUntil`, nothing notifies the user, whatever their availability. It is the latest of the times for which do not disturb
 * was chosen, and is on because of the status or the notification schedule. Others see it unless the user is away.
 */
export interface Availability {
  availability: string
  quietUntil: string | null
  chosenQuietUntil: string | null
  statusQuietUntil: string | null
  scheduleQuietUntil: string | null
}

type QuietTimes = Pick<Availability, 'chosenQuietUntil' | 'statusQuietUntil' | 'scheduleQuietUntil'>

export const quietColumns = [
  'users.availability',
  'users.quietUntil',
  'users.chosenQuietUntil',
  'users.statusQuietUntil',
  'users.scheduleQuietUntil',
] as const

/**
 * Locks a user and reads their availability.
 * @throws AppError 401 if the account was deactivated or deleted meanwhile
 */
export async function lockAvailability(tx: Transaction<DB>, userId: string): Promise<Availability & { nowMs: number }> {
  const held = await tx
    .selectFrom('users')
    .select(quietColumns)
    .select(sql<number>`(extract(epoch from now()) * 1000)::float8`.as('nowMs'))
    .where('id', '=', userId)
    .where('deactivatedAt', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!held) throw unauthenticated()
  return held
}

const NO_TIMES: QuietTimes = { chosenQuietUntil: null, statusQuietUntil: null, scheduleQuietUntil: null }

/** The times behind `quietUntil`. A node of an earlier version only writes that. */
function timesOf({ quietUntil, chosenQuietUntil, statusQuietUntil, scheduleQuietUntil }: Availability): QuietTimes {
  if (quietUntil === null) return NO_TIMES
  const times = { chosenQuietUntil, statusQuietUntil, scheduleQuietUntil }
  return Object.values(times).includes(quietUntil) ? times : { ...times, chosenQuietUntil: quietUntil }
}

/** The availability after a change of some of its times, and without those that are over. */
export function withQuietTimes(
  held: Availability,
  change: Partial<QuietTimes>,
  nowMs: number,
  availability = held.availability,
): Availability {
  const times = { ...timesOf(held), ...change }
  const until = Math.max(...Object.values(times).map((time) => (time === null ? 0 : Date.parse(time))))
  const quietUntil = until > nowMs ? new Date(until).toISOString() : null
  const whenQuiet = availability === 'active' ? 'quiet' : availability
  const otherwise = availability === 'quiet' ? 'active' : availability
  return { ...times, quietUntil, availability: quietUntil === null ? otherwise : whenQuiet }
}

/** The availability after a choice. Being active ends do not disturb. */
export function withChoice(
  held: Availability,
  availability: string,
  until: string | null,
  nowMs: number,
): Availability {
  if (availability === 'active') return { ...NO_TIMES, availability, quietUntil: null }
  if (availability !== 'quiet') return withQuietTimes(held, {}, nowMs, availability)
  // Newer than what the status says; but the schedule may have it on for longer.
  return withQuietTimes(held, { chosenQuietUntil: until, statusQuietUntil: null }, nowMs, availability)
}

/** What others and the user see of it now. */
export const shownAvailability = (
  { availability, quietUntil }: Pick<Availability, 'availability' | 'quietUntil'>,
  nowMs: number,
) =>
  quietUntil !== null && Date.parse(quietUntil) > nowMs
    ? { availability, quietUntil }
    : { availability: availability === 'quiet' ? 'active' : availability, quietUntil: null }

export const isChanged = (held: Availability, next: Availability) =>
  (Object.keys(NO_TIMES) as (keyof QuietTimes)[]).some((key) => held[key] !== next[key]) ||
  held.availability !== next.availability ||
  held.quietUntil !== next.quietUntil

/**
 * In SQL: whether `@here` means a user: online and not idle, neither away nor in do not disturb.
 * @param active `presence.active()`, which excludes invisible people
 */
export const isHere = (active: readonly string[]) =>
  sql<boolean>`(users.id = any(${active}::text[]) and users.availability <> 'away' and not ${isQuiet})`
