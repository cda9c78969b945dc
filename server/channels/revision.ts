import { sql, type Transaction, type UpdateObject } from 'kysely'
import type { Channel } from '#contract/channels'
import type { DB } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { isGeneral } from './channel-rows.ts'

/**
 * Locks a channel's row. Every transaction that increments `rev` does so first, before it touches memberships or messages,
 * so that such transactions cannot deadlock and then read current rows.
 * @throws AppError 404 if the channel was deleted
 */
export async function lockChannel(tx: Transaction<DB>, channelId: string) {
  const channel = await tx
    .selectFrom('channels')
    .select(['id', 'seq', 'rev', 'kind', 'name', 'ownerId', isGeneral])
    .where('id', '=', channelId)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!channel) throw notFound('errors.channelNotFound')
  return { ...channel, kind: channel.kind as Channel['kind'] }
}

/**
 * Increments the revision of a locked channel; each revision belongs to one event.
 * @param self changed columns of the channel itself, such as its name, topic or member count
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
