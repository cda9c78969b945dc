import { sql, type Transaction } from 'kysely'
import type { LaterItem } from '#contract/later'
import type { DB } from '../db/schema.ts'
import { startPolling } from '../process/poll.ts'
import { enqueuePushes } from '../push/push-queue.ts'
import { userRoom } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { laterColumns } from './later-items.ts'

/** Reminders given in one run. */
const BATCH = 500

interface Reminding extends Pick<Services, 'db' | 'publish'> {
  presence: Pick<Services['presence'], 'isActive'>
  push: Pick<Services['push'], 'isOn' | 'publicKey'>
}

/**
 * Gives the reminders that are due, each on one of several nodes; those of deactivated people wait. Returns whether that was all.
 */
export async function remindDue({ db, presence, publish, push }: Reminding): Promise<boolean> {
  const due = await db.transaction().execute(async (tx) => {
    const items = await claimDue(tx)
    const pushes = items.map(({ id, userId }) => ({ userId, itemId: id, isActive: presence.isActive(userId) }))
    if (push.isOn) await enqueuePushes(tx, push.publicKey, pushes)
    return items
  })
  for (const { userId, ...item } of due) publish(userRoom(userId), 'later:changed', item)
  return due.length < BATCH
}

const claimDue = (db: Transaction<DB>): Promise<(LaterItem & { userId: string })[]> =>
  db
    .with('due', (from) =>
      from
        .selectFrom('later_items')
        .innerJoin('users', 'users.id', 'later_items.userId')
        .select('later_items.id')
        .where('remindedAt', 'is', null)
        .where('doneAt', 'is', null)
        // Unlike the clock, this is the same for all rows, so that the index finds them.
        .where('dueAt', '<=', sql<string>`now()`)
        .where('users.deactivatedAt', 'is', null)
        .orderBy('dueAt')
        .limit(BATCH)
        .forUpdate('later_items')
        .skipLocked(),
    )
    .updateTable('later_items')
    .from('due')
    .whereRef('later_items.id', '=', 'due.id')
    .set({ remindedAt: sql`clock_timestamp()`, rev: sql`later_items.rev + 1` })
    .returning(laterColumns.map((column) => `later_items.${column}` as const))
    .returning('later_items.userId')
    .execute()

/** Looks for due reminders. Returns a function that stops it. */
export const startReminding = (services: Services) =>
  startPolling(
    { intervalMs: services.bounds.reminderPollMs, log: services.log, failure: 'could not look for due reminders' },
    async () => ((await remindDue(services)) ? undefined : 0),
  )
