import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import type { DB } from './db/schema.ts'
import { channelRoom, everyone, userRoom } from './realtime.ts'
import { lockChannel, moveRev } from './rev.ts'

/**
 * Makes a person a member of a channel, with everything said so far read. Answers undefined where they are in it already.
 * @throws AppError 404 where the channel is gone.
 */
export async function addMember(tx: Transaction<DB>, channelId: string, userId: string) {
  const { seq } = await lockChannel(tx, channelId)
  const joined = await tx
    .insertInto('memberships')
    .values({ channelId, userId, lastReadSeq: seq })
    .onConflict((it) => it.doNothing())
    .returning('userId')
    .executeTakeFirst()
  if (!joined) return undefined
  await moveRev(tx, channelId)
  return tx
    .updateTable('channels')
    .set({ memberCount: sql`"memberCount" + 1`, selfRev: sql`rev` })
    .where('id', '=', channelId)
    .returning(['rev', 'memberCount', 'kind'])
    .executeTakeFirstOrThrow()
}

type Joined = Awaited<ReturnType<typeof addMember>>

/** Lets the new member's sockets hear the channel, then tells: everyone of a public one, else its members. */
export async function announceMember(
  { db, io, publish }: FastifyInstance,
  channelId: string,
  userId: string,
  joined: Joined,
) {
  if (!joined) return
  io.in(userRoom(userId)).socketsJoin(channelRoom(channelId))
  const user = await db
    .selectFrom('users')
    .select(['id', 'username', 'name'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const { rev, memberCount, kind } = joined
  const audience = kind === 'public' ? everyone : channelRoom(channelId)
  publish(audience, 'channel:member_joined', { channelId, rev, memberCount, user })
}
