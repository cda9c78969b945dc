import { sql, type Transaction, type UpdateObject } from 'kysely'
import type { Channel } from '#contract/channels'
import type { DB } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { isGeneral } from './channel-rows.ts'

/**
 * Locks a channel's row: the first statement of every transaction that moves its `rev`, before any membership or
 * message, so that no two such transactions wait for each other. What is read after it is read as it is.
 * @throws AppError 404 where the channel is gone.
 */
export async function lockChannel(tx: Transaction<DB>, channelId: string) {
  const channel = await tx
    .selectFrom('channels')
    .select(['id', 'seq', 'rev', 'kind', 'name', 'ownerId', isGeneral])
    .where('id', '=', channelId)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!channel) throw notFound('Channel')
  return { ...channel, kind: channel.kind as Channel['kind'] }
}

/**
 * Moves a locked channel on by one revision, which belongs to one event.
 * @param self what of the channel itself changes with it: its members, name, topic
 */
export const bumpRev = (tx: Transaction<DB>, channelId: string, self?: UpdateObject<DB, 'channels'>) =>
  tx
    .updateTable('channels')
    .set({
      rev: sql`rev + 1`,
      changedAt: sql`clock_timestamp()`,
      ...(self && { ...self, selfRev: sql`rev + 1` }),
    })
    .where('id', '=', channelId)
    .returning(['rev', 'memberCount', 'kind'])
    .executeTakeFirstOrThrow()
