import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { DB } from './db/schema.ts'
import { notFound } from './errors.ts'

/**
 * Locks a channel's row: the first statement of every transaction that moves its `rev`, before any membership or
 * message, so that no two such transactions wait for each other. What is read after it is read as it is.
 * @throws AppError 404 where the channel is gone.
 */
export async function lockChannel(tx: Transaction<DB>, channelId: string) {
  const channel = await tx
    .selectFrom('channels')
    .select(['seq', 'ownerId'])
    .where('id', '=', channelId)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!channel) throw notFound('Channel')
  return channel
}

/** Moves a locked channel on by one revision, which belongs to one event; `also` is what of the channel itself changes. */
export const moveRev = (tx: Transaction<DB>, channelId: string, also?: { memberCount: RawBuilder<number> }) =>
  tx
    .updateTable('channels')
    .set({ rev: sql`rev + 1`, changedAt: sql`clock_timestamp()`, ...(also && { ...also, selfRev: sql`rev + 1` }) })
    .where('id', '=', channelId)
    .returning(['rev', 'memberCount', 'kind'])
    .executeTakeFirstOrThrow()
