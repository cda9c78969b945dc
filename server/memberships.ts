import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import type { Db } from './db/database.ts'
import type { DB } from './db/schema.ts'
import { channelRoom, everyone, userRoom } from './realtime.ts'
import { lockChannel, moveRev } from './rev.ts'

/** Whether somebody is in a channel, as the transaction sees it. */
export async function isMember(db: Db | Transaction<DB>, channelId: string, userId: string): Promise<boolean> {
  const membership = db.selectFrom('memberships').where('channelId', '=', channelId).where('userId', '=', userId)
  return (await membership.select('userId').executeTakeFirst()) !== undefined
}

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
  return moveRev(tx, channelId, { memberCount: sql`"memberCount" + 1` })
}

type Joined = Awaited<ReturnType<typeof addMember>>

/** Lets the new member's sockets hear the channel, then tells: everyone of a public one, else its members. */
export async function announceMember(
  { io, people, publish }: FastifyInstance,
  channelId: string,
  userId: string,
  joined: Joined,
) {
  if (!joined) return
  io.in(userRoom(userId)).socketsJoin(channelRoom(channelId))
  const named = await people.named([userId])
  const { rev, memberCount, kind } = joined
  const audience = kind === 'public' ? everyone : channelRoom(channelId)
  publish(audience, 'channel:member_joined', { channelId, rev, memberCount, user: named(userId) })
}
