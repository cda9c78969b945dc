import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'

const POLL_INTERVAL_MS = 60_000
/** Pause between batches, to leave connections for others. */
const BATCH_PAUSE_MS = 200
/** A deleted channel disappears immediately; its rows are deleted this much later, in batches. */
const RETENTION_MINUTES = 60
const BATCH_SIZE = 1000

/** Rows deleted along with a message, which may have many of them. */
const DEPENDENTS = [
  { table: 'reactions', column: 'messageId' },
  { table: 'mentions', column: 'messageId' },
  { table: 'thread_follows', column: 'threadId' },
  { table: 'later_items', column: 'messageId' },
  { table: 'message_versions', column: 'messageId' },
] as const

/**
 * Deletes a batch of rows of channels that were deleted a while ago. Returns whether more may remain. Runs on one node at a
 * time. The next sweep deletes the bytes of their files.
 */
export async function purgeOnce(db: Db, minutes = RETENTION_MINUTES): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ isMine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('purge_channels')) as "isMine"`.execute(tx)
    // The node that is purging now may stop before the end.
    if (!rows[0]?.isMine) return true
    // As in retention: a hold placed now waits for this transaction.
    await sql`select pg_advisory_xact_lock_shared(hashtext('holds'))`.execute(tx)
    const gone = await tx
      .selectFrom('channels')
      .select('id')
      .where('deletedAt', '<', sql<string>`now() - make_interval(mins => ${minutes})`)
      .where(IS_NOT_HELD)
      .limit(1)
      .executeTakeFirst()
    if (!gone) return false
    await purgeBatch(tx, gone.id)
    return true
  })
}

/** Not held: neither the channel, nor anybody who wrote or uploaded there. A hold keeps the whole channel. */
const IS_NOT_HELD = sql<boolean>`not exists (
  select from holds h where h."channelId" = channels.id or h."userId" is not null and (
    exists (select from messages m where m."channelId" = channels.id and m."userId" = h."userId")
    or exists (select from files f where f."channelId" = channels.id and f."userId" = h."userId")))`

/** To keep each statement short, none deletes more rows of a table than a batch, including cascades. */
async function purgeBatch(tx: Transaction<DB>, channelId: string) {
  if (await forgetFiles(tx, channelId)) return
  const messages = await nextMessages(tx, channelId)
  for (const { table, column } of DEPENDENTS)
    if (await deleteRows(tx, table, sql`${sql.ref(column)} = any(${messages}::uuid[])`)) return
  if (messages.length > 0) {
    await tx.deleteFrom('messages').where('id', '=', sql<string>`any(${messages}::uuid[])`).execute()
    return
  }
  if (await deleteRows(tx, 'search_blocks', sql`"channelId" = ${channelId}`)) return
  await endExports(tx, channelId)
  // Only memberships are deleted by cascade: there are no more of them than people, and deleting them separately would record
  // each as a departure. Nodes of an earlier version purge without the lock above, so the query checks that no messages are left.
  await tx
    .deleteFrom('channels')
    .where('id', '=', channelId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('messages').select('messages.id').whereRef('messages.channelId', '=', 'channels.id'))),
    )
    .execute()
}

/** Expires archives of the channel that belong to former members: afterwards nothing would record that they were removed. */
const endExports = (tx: Transaction<DB>, channelId: string) =>
  tx
    .updateTable('exports')
    .set({ expiresAt: sql<string>`'epoch'::timestamptz` })
    .where('channelId', '=', channelId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('memberships')
            .select('memberships.userId')
            .whereRef('memberships.channelId', '=', 'exports.channelId')
            .whereRef('memberships.userId', '=', 'exports.userId'),
        ),
      ),
    )
    .execute()

/** Returns whether there were any. */
async function forgetFiles(tx: Transaction<DB>, channelId: string): Promise<boolean> {
  const files = tx.selectFrom('files').select('id').where('channelId', '=', channelId).limit(BATCH_SIZE)
  const { numUpdatedRows } = await tx
    .updateTable('files')
    .set({ state: 'gone', isShown: false, channelId: null, messageId: null })
    .where('id', 'in', files)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The ids of a batch of messages without replies. Replies precede their parents, which would cascade to them. */
async function nextMessages(tx: Transaction<DB>, channelId: string): Promise<string[]> {
  const messages = tx.selectFrom('messages').select('id').limit(BATCH_SIZE)
  const first = messages.where('channelId', '=', channelId).where('threadId', 'is', null).orderBy('seq')
  const parents = (await first.execute()).map(({ id }) => id)
  const replies = await messages.where('threadId', '=', sql<string>`any(${parents}::uuid[])`).execute()
  return replies.length > 0 ? replies.map(({ id }) => id) : parents
}

/** Deletes a batch. Returns whether more may remain. */
async function deleteRows(tx: Transaction<DB>, table: string, condition: RawBuilder<unknown>): Promise<boolean> {
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)}
    where ctid = any(array(select ctid from ${sql.table(table)} where ${condition} limit ${sql.lit(BATCH_SIZE)}))
  `.execute(tx)
  return numAffectedRows === BigInt(BATCH_SIZE)
}

export function startPurging({ db, log }: { db: Db; log: Logger }) {
  return startPolling(
    { intervalMs: POLL_INTERVAL_MS, log, failure: 'deleted channels could not be purged' },
    async () => ((await purgeOnce(db)) ? BATCH_PAUSE_MS : undefined),
  )
}
