import { sql, type Transaction } from 'kysely'
import { limits } from '#contract/limits'
import type { DB } from '../db/schema.ts'
import { audienceOf } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { bumpRev } from './revision.ts'

/**
 * Deletes a channel for everyone immediately; `purge-channels.ts` deletes its rows later.
 * @param require locks the channel, and throws if it must not be deleted
 */
export async function removeChannel(
  { publish, memberSockets, writer }: Services,
  id: string,
  require: (tx: Transaction<DB>) => Promise<void>,
) {
  const remove = async (tx: Transaction<DB>) => {
    await require(tx)
    const members = tx.selectFrom('memberships').select('userId').where('channelId', '=', id)
    const first = await members.limit(limits.firstMembers).execute()
    const { kind } = await bumpRev(tx, id, { deletedAt: sql`clock_timestamp()` })
    return { kind, memberIds: first.map(({ userId }) => userId) }
  }
  await writer.change(id, remove, ({ kind, memberIds }) => {
    publish(audienceOf(id, kind === 'public'), 'channel:deleted', { channelId: id, memberIds })
    memberSockets.close(id)
  })
}
