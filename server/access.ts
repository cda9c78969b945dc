import { sql } from 'kysely'
import { can } from '#contract/can'
import type { Db } from './db/database.ts'
import { notAMember, notFound } from './errors.ts'

const liveChannel = (db: Db, userId: string, channelId: string) =>
  db
    .selectFrom('channels')
    .leftJoin('memberships', (join) =>
      join.onRef('memberships.channelId', '=', 'channels.id').on('memberships.userId', '=', userId),
    )
    .where('channels.id', '=', channelId)
    .where('channels.deletedAt', 'is', null)
    .select(['channels.id', 'channels.kind', sql<boolean>`memberships."userId" is not null`.as('isMember')])
    .executeTakeFirst()

/**
 * The door to a channel for those who read it: anyone where it is public, members elsewhere.
 * @throws AppError 404 for all others, as for a channel that is not there.
 */
export async function readableChannel(db: Db, userId: string, channelId: string) {
  const channel = await liveChannel(db, userId, channelId)
  if (!channel || (channel.kind !== 'public' && !channel.isMember)) throw notFound('Channel')
  return channel
}

/**
 * The door to a channel for those who take part in it.
 * @throws AppError 403 `not_a_member` where the channel is public, 404 where its existence is private.
 */
export async function memberChannel(db: Db, userId: string, channelId: string) {
  const channel = await readableChannel(db, userId, channelId)
  if (!can.writeIn(channel)) throw notAMember()
  return channel
}
