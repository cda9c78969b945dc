import { sql, type Transaction } from 'kysely'
import type { Db } from './db/database.ts'
import type { DB } from './db/schema.ts'
import { notFound } from './errors.ts'
import { channelRoom, everyone, publish, type Realtime, userRoom } from './realtime.ts'

/**
 * Makes a person a member of a channel, with everything said so far read. Locks the channel's row first, as whoever
 * moves a `rev` does. Answers undefined where they are in it already.
 * @throws AppError 404 where the channel is gone.
 */
export async function addMember(tx: Transaction<DB>, channelId: string, userId: string) {
  const channel = await tx
    .selectFrom('channels')
    .select('seq')
    .where('id', '=', channelId)
    .where('deletedAt', 'is', null)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!channel) throw notFound('Channel')
  const joined = await tx
    .insertInto('memberships')
    .values({ channelId, userId, lastReadSeq: channel.seq })
    .onConflict((it) => it.doNothing())
    .returning('userId')
    .executeTakeFirst()
  if (!joined) return undefined
  return tx
    .updateTable('channels')
    .set({ memberCount: sql`"memberCount" + 1`, rev: sql`rev + 1`, changedAt: sql`now()` })
    .where('id', '=', channelId)
    .returning(['rev', 'memberCount', 'kind'])
    .executeTakeFirstOrThrow()
}

type Joined = NonNullable<Awaited<ReturnType<typeof addMember>>>

/** Lets the new member's sockets hear the channel, then tells: everyone of a public one, else its members. */
export async function announceMember(db: Db, io: Realtime, channelId: string, userId: string, joined: Joined) {
  io.in(userRoom(userId)).socketsJoin(channelRoom(channelId))
  const user = await db
    .selectFrom('users')
    .select(['id', 'username', 'name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const { rev, memberCount, kind } = joined
  const audience = kind === 'public' ? everyone : channelRoom(channelId)
  publish(io, audience, 'channel:member_joined', { channelId, rev, memberCount, user })
}
