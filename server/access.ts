import type pg from 'pg'
import { can } from '#contract/can'
import { notAMember, notFound } from './errors.ts'

/** A channel as its door shows it to one person. */
export interface OpenChannel {
  id: string
  kind: 'public' | 'private' | 'direct'
  ownerId: string | null
  isMember: boolean
  rev: number
  /** The workspace's people version: a page of messages is the same as long as neither this nor `rev` moves. */
  peopleVersion: number
}

// Named: it is asked with every call.
const DOOR = {
  name: 'channel_door',
  text: `select c.id, c.kind, c."ownerId", m."userId" is not null as "isMember", c.rev, w."peopleVersion"
    from channels c cross join workspace w
    left join memberships m on m."channelId" = c.id and m."userId" = $2
    where c.id = $1 and c."deletedAt" is null`,
}

/**
 * The door to a channel for those who read it: anyone where it is public, members elsewhere.
 * @throws AppError 404 for all others, as for a channel that is not there.
 */
export async function readableChannel(pool: pg.Pool, userId: string, channelId: string): Promise<OpenChannel> {
  const { rows } = await pool.query<OpenChannel>({ ...DOOR, values: [channelId, userId] })
  const [channel] = rows
  if (!channel || (channel.kind !== 'public' && !channel.isMember)) throw notFound('Channel')
  return channel
}

/**
 * The door to a channel for those who take part in it.
 * @throws AppError 403 `not_a_member` where the channel is public, 404 where its existence is private.
 */
export async function memberChannel(pool: pg.Pool, userId: string, channelId: string) {
  const channel = await readableChannel(pool, userId, channelId)
  if (!can.writeIn(channel)) throw notAMember()
  return channel
}

/**
 * The door to a message, through its channel, for those who take part in it.
 * @throws AppError 404 for a message that is not there or stands behind a closed door, 403 where its channel is public.
 */
export async function messageFor(pool: pg.Pool, userId: string, messageId: string) {
  const { rows } = await pool.query<{ channelId: string }>('select "channelId" from messages where id = $1', [
    messageId,
  ])
  const [message] = rows
  if (!message) throw notFound('Message')
  return memberChannel(pool, userId, message.channelId).catch((error) => {
    throw error.status === 404 ? notFound('Message') : error
  })
}
