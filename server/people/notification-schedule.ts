import { sql, type Transaction } from 'kysely'
import { type NotificationSchedule, type ScheduleState, scheduleAt } from '#contract/notification-schedule'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'
import { type Availability, isChanged, lockAvailability, quietColumns, withQuietTimes } from './availability.ts'

/** How late a schedule may begin. Pages end do not disturb on their own. */
const INTERVAL_MS = 5000
/** People per statement: each changed row of `users` runs triggers. */
const BATCH = 50
/** When a schedule whose time zone this machine doesn't know is tried again. */
const UNKNOWN_ZONE_MS = 3_600_000

/** Saves a schedule, or null for always, and applies it at once. Returns whether the availability changed. */
export async function saveSchedule(tx: Transaction<DB>, userId: string, schedule: NotificationSchedule | null) {
  const held = await lockAvailability(tx, userId)
  const state = schedule && scheduleAt(schedule, held.nowMs)
  const saved = { schedule: schedule && JSON.stringify(schedule), scheduleDueAt: timeOf(state) }
  await tx
    .insertInto('notification_settings')
    .values({ userId, ...saved })
    .onConflict((row) => row.column('userId').doUpdateSet(saved))
    .execute()
  const { nowMs, ...before } = held
  const next = applied(before, state, nowMs)
  if (!isChanged(before, next)) return false
  await tx.updateTable('users').set(next).where('id', '=', userId).execute()
  return true
}

/**
 * Applies the schedules that are due, each on one of several nodes; those of deactivated people wait. Returns whether anybody's
 * availability changed.
 */
export async function applyDueSchedules(db: Db): Promise<boolean> {
  for (let hasChanged = false; ; ) {
    const batch = await db.transaction().execute(applyBatch)
    hasChanged ||= batch.changed > 0
    if (batch.due < BATCH) return hasChanged
  }
}

async function applyBatch(tx: Transaction<DB>) {
  const due = await tx
    .selectFrom('notification_settings')
    .innerJoin('users', 'users.id', 'notification_settings.userId')
    .select(quietColumns)
    .select([
      'users.id',
      'notification_settings.schedule',
      sql<number>`(extract(epoch from now()) * 1000)::float8`.as('nowMs'),
    ])
    .where('scheduleDueAt', '<=', sql<string>`now()`)
    .where('users.deactivatedAt', 'is', null)
    .orderBy('scheduleDueAt')
    .limit(BATCH)
    // Both, so that the updates never wait for a lock.
    .forUpdate()
    .skipLocked()
    .execute()
  if (due.length === 0) return { due: 0, changed: 0 }
  const people = due.map((held) => {
    const state = knownState(held.schedule as unknown as NotificationSchedule | null, held.nowMs)
    return { id: held.id, dueAt: timeOf(state), held, next: applied(held, state, held.nowMs) }
  })
  await sql`
    update notification_settings set "scheduleDueAt" = next.at
    from unnest(${people.map(({ id }) => id)}::text[], ${people.map(({ dueAt }) => dueAt)}::timestamptz[]) next (id, at)
    where "userId" = next.id`.execute(tx)
  const changed = people.filter(({ held, next }) => isChanged(held, next))
  if (changed.length > 0)
    await sql`
      update users set availability = next.availability, "quietUntil" = next.until,
        "chosenQuietUntil" = next.chosen, "statusQuietUntil" = next.status, "scheduleQuietUntil" = next.schedule
      from unnest(
        ${changed.map(({ id }) => id)}::text[],
        ${changed.map(({ next }) => next.availability)}::text[],
        ${changed.map(({ next }) => next.quietUntil)}::timestamptz[],
        ${changed.map(({ next }) => next.chosenQuietUntil)}::timestamptz[],
        ${changed.map(({ next }) => next.statusQuietUntil)}::timestamptz[],
        ${changed.map(({ next }) => next.scheduleQuietUntil)}::timestamptz[]
      ) next (id, availability, until, chosen, status, schedule)
      where users.id = next.id`.execute(tx)
  return { due: due.length, changed: changed.length }
}

/** Another node may have saved a time zone that this machine doesn't know. */
function knownState(schedule: NotificationSchedule | null, nowMs: number): ScheduleState | null {
  try {
    return schedule && scheduleAt(schedule, nowMs)
  } catch {
    return { isQuiet: false, until: nowMs + UNKNOWN_ZONE_MS }
  }
}

const timeOf = (state: ScheduleState | null) =>
  state?.until == null ? null : new Date(Math.ceil(state.until)).toISOString()

/** The availability that a schedule leads to. */
const applied = (held: Availability, state: ScheduleState | null, nowMs: number): Availability =>
  withQuietTimes(held, { scheduleQuietUntil: state?.isQuiet ? timeOf(state) : null }, nowMs)

/** One timer for everybody; each node publishes the changed rows to its sockets. */
export const startApplyingSchedules = ({ db, log, pollSoon }: { db: Db; log: Logger; pollSoon: () => void }) =>
  startPolling({ intervalMs: INTERVAL_MS, log, failure: 'could not apply notification schedules' }, async () => {
    if (await applyDueSchedules(db)) pollSoon()
    return undefined
  })
