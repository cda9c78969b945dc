import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'

const POLL_INTERVAL_MS = 60_000
/** Between two batches, so that others get the connections. */
const BATCH_PAUSE_MS = 200
/** A deleted channel is gone for everyone at once; its rows go later, a batch at a time. */
const RETENTION_MINUTES = 60
const BATCH_SIZE = 1000

/**
 * Removes a batch of rows of channels that were deleted a while ago; returns whether more may remain. The bytes of their
 * files go with the next sweep.
 */
export async function purgeOnce(db: Db, minutes = RETENTION_MINUTES): Promise<boolean> {
  const gone = await db
    .selectFrom('channels')
    .select('id')
    .where('deletedAt', '<', sql<string>`now() - make_interval(mins => ${minutes})`)
    .limit(1)
    .executeTakeFirst()
  if (!gone) return false
  const files = db.selectFrom('files').select('id').where('channelId', '=', gone.id).limit(BATCH_SIZE)
  const forgotten = await db
    .updateTable('files')
    .set({ state: 'gone', isShown: false, channelId: null, messageId: null })
    .where('id', 'in', files)
    .executeTakeFirst()
  if (forgotten.numUpdatedRows > 0n) return true
  const some = db.selectFrom('messages').select('id').where('channelId', '=', gone.id).limit(BATCH_SIZE)
  const { numDeletedRows } = await db.deleteFrom('messages').where('id', 'in', some).executeTakeFirst()
  // The query checks again that no messages are left: another node may have deleted this batch, and deleting the channel
  // cascades.
  if (numDeletedRows === 0n)
    await db
      .deleteFrom('channels')
      .where('id', '=', gone.id)
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('messages').select('messages.id').whereRef('messages.channelId', '=', 'channels.id'))),
      )
      .execute()
  return true
}

export function startPurging({ db, log }: { db: Db; log: Logger }) {
  return startPolling(
    { intervalMs: POLL_INTERVAL_MS, log, failure: 'deleted channels could not be purged' },
    async () => ((await purgeOnce(db)) ? BATCH_PAUSE_MS : undefined),
  )
}
