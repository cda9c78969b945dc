import DataLoader from 'dataloader'
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
  /** Which database this is: numbers of another one mean something else. */
  epoch: string
}

const STATEMENT = {
  name: 'channel_doors',
  text: `select c.id, c.kind, c."ownerId", m."userId" is not null as "isMember", c.rev, w."peopleVersion", w.epoch
    from unnest($1::uuid[], $2::text[]) with ordinality as asked(channel, person, place)
    cross join workspace w
    left join channels c on c.id = asked.channel and c."deletedAt" is null
    left join memberships m on m."channelId" = c.id and m."userId" = asked.person
    order by asked.place`,
}

export type Doors = ReturnType<typeof openDoors>

/**
 * Asks the database who may enter where. Nothing is remembered; but those who ask in one turn of the event loop share a
 * query, which begins after the last of them asked, so each answer is as fresh as one of its own.
 */
export function openDoors(pool: pg.Pool) {
  const ask = async (asked: readonly { channelId: string; userId: string }[]) => {
    const values = [asked.map((it) => it.channelId), asked.map((it) => it.userId)]
    const { rows } = await pool.query<OpenChannel | { id: null }>({ ...STATEMENT, values })
    return rows.map((row) => (row.id === null ? undefined : row))
  }
  return new DataLoader(ask, { cache: false, maxBatchSize: 500, batchScheduleFn: setImmediate })
}

/**
 * The door to a channel for those who read it: anyone where it is public, members elsewhere.
 * @throws AppError 404 for all others, as for a channel that is not there.
 */
export async function readableChannel(doors: Doors, userId: string, channelId: string): Promise<OpenChannel> {
  const channel = await doors.load({ channelId, userId })
  if (!channel || (channel.kind !== 'public' && !channel.isMember)) throw notFound('Channel')
  return channel
}

/**
 * The door to a channel for those who take part in it.
 * @throws AppError 403 `not_a_member` where the channel is public, 404 where its existence is private.
 */
export async function memberChannel(doors: Doors, userId: string, channelId: string) {
  const channel = await readableChannel(doors, userId, channelId)
  if (!can.writeIn(channel)) throw notAMember()
  return channel
}

/**
 * The door to a message, through its channel, for those who take part in it.
 * @throws AppError 404 for a message that is not there or stands behind a closed door, 403 where its channel is public.
 */
export async function messageFor({ pool, doors }: { pool: pg.Pool; doors: Doors }, userId: string, messageId: string) {
  const { rows } = await pool.query<{ channelId: string }>('select "channelId" from messages where id = $1', [
    messageId,
  ])
  const [message] = rows
  if (!message) throw notFound('Message')
  return memberChannel(doors, userId, message.channelId).catch((error) => {
    throw error.status === 404 ? notFound('Message') : error
  })
}
