import { sql, type Transaction } from 'kysely'
import { isKnownTo } from '../access/readable-channels.ts'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { audienceOf, userRoom } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { bumpRev, type ChannelChange, lockChannel } from './revision.ts'

export async function isMember(db: Db | Transaction<DB>, channelId: string, userId: string): Promise<boolean> {
  const membership = db.selectFrom('memberships').where('channelId', '=', channelId).where('userId', '=', userId)
  return (await membership.select('userId').executeTakeFirst()) !== undefined
}

/** Returns the active ones among the users. They cannot be deactivated until the transaction ends. */
export async function lockActiveUsers(tx: Transaction<DB>, userIds: readonly string[]): Promise<Set<string>> {
  const users = await tx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', userIds)
    .where('deactivatedAt', 'is', null)
    // Always in the same order, so that transactions cannot deadlock.
    .orderBy('id')
    .forShare()
    .execute()
  return new Set(users.map(({ id }) => id))
}

/** @throws AppError 404 if a guest names somebody they share no channel with, as for a nonexistent user */
export async function requireKnown(tx: Transaction<DB>, me: string, userIds: readonly string[]) {
  if (userIds.length === 0) return
  const known = await tx
    .selectFrom('users')
    .select('id')
    .where('id', 'in', userIds)
    .where(isKnownTo(me, 'users.id'))
    .execute()
  if (known.length < userIds.length) throw notFound('errors.userNotFound')
}

/** Whether a user is an active member of a channel. Their account stays active until the transaction ends. */
export const isActiveMember = async (tx: Transaction<DB>, channelId: string, userId: string) =>
  (await isMember(tx, channelId, userId)) && (await lockActiveUsers(tx, [userId])).has(userId)

/**
 * Adds a member, with all earlier messages read. Returns undefined if they are already a member.
 * @throws AppError 404 if the channel was deleted
 */
export async function addMember(tx: Transaction<DB>, channelId: string, userId: string) {
  const { seq, rev } = await lockChannel(tx, channelId)
  const joined = await tx
    .insertInto('memberships')
    // Newer than the read version of an earlier membership, which a device may still hold.
    .values({ channelId, userId, lastReadSeq: seq, readVersion: rev })
    .onConflict((conflict) => conflict.doNothing())
    .returning('userId')
    .executeTakeFirst()
  if (!joined) return undefined
  return bumpRev(tx, channelId, {
    memberCount: sql`"memberCount" + 1`,
    // A node of the previous version leaves it there when someone leaves.
    posters: sql`array_remove(posters, ${userId})`,
  })
}

/** Ends a membership of a locked channel. Returns undefined if there is none. */
export async function endMembership(tx: Transaction<DB>, channelId: string, userId: string) {
  const left = await tx
    .deleteFrom('memberships')
    .where('channelId', '=', channelId)
    .where('userId', '=', userId)
    .returning('userId')
    .executeTakeFirst()
  if (!left) return undefined
  return bumpRev(tx, channelId, {
    memberCount: sql`"memberCount" - 1`,
    posters: sql`array_remove(posters, ${userId})`,
  })
}

type MembershipChange = (ChannelChange & { memberCount: number; kind: string }) | undefined

/**
 * Joins the new member's sockets to the channel and publishes the membership, on all nodes and in the same tick. If the name
 * cannot be read neither happens, and the poll that finds the membership does both.
 */
export async function publishMemberJoined(
  { people, publish, memberSockets }: Services,
  channelId: string,
  userId: string,
  joined: MembershipChange,
) {
  if (!joined) return
  const userOf = await people.namesOf([userId])
  const { rev, memberCount, kind } = joined
  memberSockets.join(channelId, [userId], rev)
  publish(audienceOf(channelId, kind === 'public'), 'channel:member_joined', {
    channelId,
    rev,
    memberCount,
    user: userOf(userId),
  })
}

/** Removes the former member's sockets before anything else is published in the channel. */
export function publishMemberLeft(services: Services, channelId: string, userId: string, left: MembershipChange) {
  if (!left) return
  const { publish, memberSockets } = services
  const { rev, memberCount, kind } = left
  memberSockets.leave(channelId, userId, left)
  publish(audienceOf(channelId, kind === 'public'), 'channel:member_left', { channelId, rev, memberCount, userId })
  publish(userRoom(userId), 'channel:left', { channelId })
}
