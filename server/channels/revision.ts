import { sql, type Transaction, type UpdateObject } from 'kysely'
import type { Channel } from '#contract/channels'
import type { DB } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import type { Removal } from '../realtime/removals.ts'
import { isGeneral } from './channel-rows.ts'

/**
 * Locks a channel's row. Every transaction that increments `rev` does so first, before touching memberships or messages, so that
 * they cannot deadlock and read current rows.
 * @throws AppError 404 if the channel was deleted
 */
export async function lockChannel(tx: Transaction<DB>, channelId: string) {
  const channel = await tx
    .selectFrom('channels')
    .select(['id', 'seq', 'rev', 'kind', 'name', 'ownerId', 'archivedAt', 'posters', isGeneral])
    .where('id', '=', channelId)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!channel) throw notFound('errors.channelNotFound')
  return { ...channel, kind: channel.kind as Channel['kind'] }
}

/** A transaction's change of a channel, as needed to publish it. */
export interface ChannelChange extends Removal {
  rev: number
}

const changes = new WeakMap<Transaction<DB>, ChannelChange>()

/** A transaction's last change of its channel; undefined if there was none. */
export const changeBy = (tx: Transaction<DB>): ChannelChange | undefined => changes.get(tx)
export const noteChange = (tx: Transaction<DB>, change: ChannelChange) => void changes.set(tx, change)

/**
 * Increments the revision of a locked channel; each revision belongs to one event.
 * @param self changed columns of the channel itself, such as its name, topic or member count
 */
export async function bumpRev(tx: Transaction<DB>, channelId: string, self?: UpdateObject<DB, 'channels'>) {
  const change = await tx
    .updateTable('channels')
    .set({
      rev: sql`rev + 1`,
      changedAt: sql`clock_timestamp()`,
      ...(self && { ...self, selfRev: sql`rev + 1` }),
    })
    .where('id', '=', channelId)
    .returning(['rev', 'memberCount', 'kind', 'lastRemoval'])
    // As it was before this statement.
    .returning(({ selectFrom }) =>
      selectFrom('channels as before')
        .whereRef('before.id', '=', 'channels.id')
        .select('before.lastRemoval')
        .$asScalar()
        .$notNull()
        .as('previousRemoval'),
    )
    .executeTakeFirstOrThrow()
  noteChange(tx, change)
  return change
}
