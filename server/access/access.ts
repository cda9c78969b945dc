import DataLoader from 'dataloader'
import type pg from 'pg'
import { can } from '#contract/can'
import { notAMember, notFound } from '../errors.ts'
import { type FileRow, fileColumns } from '../files/file-rows.ts'

/** A channel as its door shows it to one person. */
export interface OpenChannel {
  id: string
  kind: 'public' | 'private' | 'direct'
  name: string
  ownerId: string | null
  isGeneral: boolean
  isMember: boolean
  rev: number
  /** The workspace's people version: a page of messages is the same as long as neither this nor `rev` moves. */
  peopleVersion: number
  /** Which database this is: numbers of another one mean something else. */
  epoch: string
}

const STATEMENT = {
  name: 'channel_doors',
  text: `select c.id, c.kind, c.name, c."ownerId", c.id = w."generalId" as "isGeneral",
      m."userId" is not null as "isMember", c.rev, w."peopleVersion", w.epoch
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
  if (!channel || !can.readIn(channel)) throw notFound('Channel')
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

interface Doorway {
  pool: pg.Pool
  doors: Doors
}

/** A message as its door shows it: where it stands. */
export interface OpenMessage {
  id: string
  /** Its parent, where it is a reply. */
  threadId: string | null
  channel: OpenChannel
}

/**
 * The door to a message, through its channel, for those who read there.
 * @throws AppError 404 for a message that is not there or stands behind a closed door.
 */
export async function readableMessage(to: Doorway, userId: string, messageId: string): Promise<OpenMessage> {
  return through(to, messageId, (channelId) => readableChannel(to.doors, userId, channelId))
}

/**
 * The door to a message for those who take part in its channel.
 * @throws AppError 404 as above, 403 `not_a_member` where the channel is public.
 */
export async function memberMessage(to: Doorway, userId: string, messageId: string): Promise<OpenMessage> {
  return through(to, messageId, (channelId) => memberChannel(to.doors, userId, channelId))
}

/** The door to a thread: its parent's. @throws AppError 404 for a reply, which has none of its own. */
export function parentOnly(message: OpenMessage): OpenMessage {
  if (message.threadId) throw notFound('Thread')
  return message
}

/**
 * The door to where files are put: a channel for those who take part in it, and the public bucket for everyone.
 * @throws AppError 404 or 403 `not_a_member`, as for writing there.
 */
export async function uploadChannel(doors: Doors, userId: string, channelId: string): Promise<OpenChannel> {
  const channel = await readableChannel(doors, userId, channelId)
  if (!can.uploadTo(channel)) throw notAMember()
  return channel
}

const FILE = {
  name: 'file_door',
  text: `select ${fileColumns.map((column) => column.replace(/\w+$/, '"$&"')).join(', ')}, "isShown"
    from files where id = $1 and state = 'ready'`,
}

/**
 * The door to a file, through its channel, for those who read there now. Before it goes out with its message it is its
 * uploader's alone.
 * @throws AppError 404 for all others, as for a file that is not there.
 */
export async function readableFile({ pool, doors }: Doorway, userId: string, fileId: string): Promise<FileRow> {
  const { rows } = await pool.query<FileRow & { isShown: boolean }>({ ...FILE, values: [fileId] })
  const [file] = rows
  if (!file || (!file.isShown && file.userId !== userId)) throw notFound('File')
  await readableChannel(doors, userId, file.channelId).catch((error) => {
    throw error.status === 404 ? notFound('File') : error
  })
  return file
}

async function through({ pool }: Doorway, id: string, door: (channelId: string) => Promise<OpenChannel>) {
  const { rows } = await pool.query<{ channelId: string; threadId: string | null }>(
    'select "channelId", "threadId" from messages where id = $1',
    [id],
  )
  const [found] = rows
  if (!found) throw notFound('Message')
  const channel = await door(found.channelId).catch((error) => {
    throw error.status === 404 ? notFound('Message') : error
  })
  return { id, threadId: found.threadId, channel }
}
