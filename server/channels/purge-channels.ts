import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'

const POLL_INTERVAL_MS = 60_000
/** Between two batches, so that others get the connections. */
const BATCH_PAUSE_MS = 200
/** A deleted channel is gone for everyone at once; its rows go later, a batch at a time. */
const RETENTION_MINUTES = 60
const BATCH_SIZE = 1000

/** Rows that a message takes along, of which it may have many. */
const DEPENDENTS = [
  { table: 'reactions', column: 'messageId' },
  { table: 'mentions', column: 'messageId' },
  { table: 'thread_follows', column: 'threadId' },
] as const

/**
 * Removes a batch of rows of channels that were deleted a while ago; returns whether more may remain. One node does it at a
 * time. The bytes of their files go with the next sweep.
 */
export async function purgeOnce(db: Db, minutes = RETENTION_MINUTES): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ isMine: boolean }>`
      select pg_try_advisory_xact_lock(hashtext('purge_channels')) as "isMine"`.execute(tx)
    // The node that does it now may stop before the end.
    if (!rows[0]?.isMine) return true
    // As retention does: a hold that is placed meanwhile waits for this transaction.
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

/** No hold on the channel, or on somebody who wrote or uploaded there: then all of it stays. */
const IS_NOT_HELD = sql<boolean>`not exists (
  select from holds h where h."channelId" = channels.id or h."userId" is not null and (
    exists (select from messages m where m."channelId" = channels.id and m."userId" = h."userId")
    or exists (select from files f where f."channelId" = channels.id and f."userId" = h."userId")))`

/** So that no statement takes long, none removes more rows of a table than a batch, not even by a cascade. */
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
  // Memberships alone go with the channel: there are no more of them than people, and deleted by itself each would be
  // recorded as a departure. A node of an earlier version purges without the lock above, so the query checks that no
  // messages are left.
  await tx
    .deleteFrom('channels')
    .where('id', '=', channelId)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('messages').select('messages.id').whereRef('messages.channelId', '=', 'channels.id'))),
    )
    .execute()
}

/** Archives of the channel, of people who were no longer members of it: nobody knows afterwards that they were removed. */
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

/** The ids of a batch of messages without replies; replies come before the messages that they would go with. */
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
