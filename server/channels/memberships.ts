import { sql, type Transaction } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { audienceOf, channelRoom, lookersRoom, userRoom } from '../realtime.ts'
import type { Services } from '../services.ts'
import { bumpRev, lockChannel } from './revision.ts'

/** Whether somebody is in a channel, as the transaction sees it. */
export async function isMember(db: Db | Transaction<DB>, channelId: string, userId: string): Promise<boolean> {
  const membership = db.selectFrom('memberships').where('channelId', '=', channelId).where('userId', '=', userId)
  return (await membership.select('userId').executeTakeFirst()) !== undefined
}

/**
 * Which of these people are not deactivated; none of them is until the transaction ends.
 */
export async function lockActiveUsers(tx: Transaction<DB>, userIds: readonly string[]): Promise<Set<string>> {
  const users = await tx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', userIds)
    .where('deactivatedAt', 'is', null)
    // In one order, so that no two transactions wait for each other.
    .orderBy('id')
    .forShare()
    .execute()
  return new Set(users.map(({ id }) => id))
}

/** Whether somebody is in a channel and not deactivated, and stays so until the transaction ends. */
export const isActiveMember = async (tx: Transaction<DB>, channelId: string, userId: string) =>
  (await isMember(tx, channelId, userId)) && (await lockActiveUsers(tx, [userId])).has(userId)

/**
 * Makes a person a member of a channel, with everything said so far read. Answers undefined where they are in it already.
 * @throws AppError 404 where the channel is gone.
 */
export async function addMember(tx: Transaction<DB>, channelId: string, userId: string) {
  const { seq, rev } = await lockChannel(tx, channelId)
  const joined = await tx
    .insertInto('memberships')
    // A cursor from an earlier membership, held by some device, is older than this one.
    .values({ channelId, userId, lastReadSeq: seq, readVersion: rev })
    .onConflict((it) => it.doNothing())
    .returning('userId')
    .executeTakeFirst()
  if (!joined) return undefined
  return bumpRev(tx, channelId, { memberCount: sql`"memberCount" + 1` })
}

/** Ends a membership of a locked channel. Answers undefined where there is none. */
export async function endMembership(tx: Transaction<DB>, channelId: string, userId: string) {
  const left = await tx
    .deleteFrom('memberships')
    .where('channelId', '=', channelId)
    .where('userId', '=', userId)
    .returning('userId')
    .executeTakeFirst()
  if (!left) return undefined
  return bumpRev(tx, channelId, { memberCount: sql`"memberCount" - 1` })
}

type Moved = { rev: number; memberCount: number; kind: string } | undefined

/**
 * Lets the new member's sockets hear the channel, then tells: everyone of a public one, else its members. Both in one turn:
 * where the name cannot be read nothing is done, and whoever notices the membership lets them in and tells them.
 */
export async function publishMemberJoined(
  { io, people, publish }: Services,
  channelId: string,
  userId: string,
  joined: Moved,
) {
  if (!joined) return
  const userOf = await people.namesOf([userId])
  io.in(userRoom(userId)).socketsJoin(channelRoom(channelId))
  const { rev, memberCount, kind } = joined
  publish(audienceOf(channelId, kind === 'public'), 'channel:member_joined', {
    channelId,
    rev,
    memberCount,
    user: userOf(userId),
  })
}

/** Puts the sockets of one who is no member any more out, before anything else is told of the channel. */
export function publishMemberLeft(services: Services, channelId: string, userId: string, left: Moved) {
  if (!left) return
  const { departures, io, publish } = services
  departures.note(channelId, userId)
  io.in(userRoom(userId)).socketsLeave([channelRoom(channelId), lookersRoom(channelId)])
  const { rev, memberCount, kind } = left
  publish(audienceOf(channelId, kind === 'public'), 'channel:member_left', { channelId, rev, memberCount, userId })
  publish(userRoom(userId), 'channel:left', { channelId })
}
