import DataLoader from 'dataloader'
import type pg from 'pg'
import { can } from '#contract/can'
import { notAMember, notFound } from '../errors.ts'
import type { FileRow } from '../files/file-rows.ts'

/** A channel as one user may see it. */
export interface OpenChannel {
  id: string
  kind: 'public' | 'private' | 'direct'
  name: string
  ownerId: string | null
  isGeneral: boolean
  isMember: boolean
  rev: number
  /** The workspace's people version. A page of messages stays the same until this or `rev` changes. */
  peopleVersion: number
  /** Identifies the database: numbers from another one are not comparable. */
  epoch: string
}

const CHANNELS_STATEMENT = {
  name: 'channel_doors',
  text: `select c.id, c.kind, c.name, c."ownerId", c.id = w."generalId" as "isGeneral",
      m."userId" is not null as "isMember", c.rev, w."peopleVersion", w.epoch
    from unnest($1::uuid[], $2::text[]) with ordinality as requested(channel, person, position)
    cross join workspace w
    left join channels c on c.id = requested.channel and c."deletedAt" is null
    left join memberships m on m."channelId" = c.id and m."userId" = requested.person
    order by requested.position`,
}

export type Doors = ReturnType<typeof createDoors>

/**
 * Loads channels as a user may see them. Nothing is cached, but all loads of one turn of the event loop share a query. It
 * starts after the last of them, so each result is as fresh as one of its own.
 */
export function createDoors(pool: pg.Pool) {
  const load = async (keys: readonly { channelId: string; userId: string }[]) => {
    const values = [keys.map(({ channelId }) => channelId), keys.map(({ userId }) => userId)]
    const { rows } = await pool.query<OpenChannel | { id: null }>({ ...CHANNELS_STATEMENT, values })
    return rows.map((row) => (row.id === null ? undefined : row))
  }
  return new DataLoader(load, { cache: false, maxBatchSize: 500, batchScheduleFn: setImmediate })
}

/**
 * The door to a channel for its readers: everyone if it is public, otherwise its members.
 * @throws AppError 404 for all others, as for a channel that does not exist
 */
export async function readableChannel(doors: Doors, userId: string, channelId: string): Promise<OpenChannel> {
  const channel = await doors.load({ channelId, userId })
  if (!channel || !can.readIn(channel)) throw notFound('errors.channelNotFound')
  return channel
}

/**
 * The door to a channel for its members.
 * @throws AppError 403 `not_a_member` if the channel is public, otherwise 404
 */
export async function memberChannel(doors: Doors, userId: string, channelId: string) {
  const channel = await readableChannel(doors, userId, channelId)
  if (!can.writeIn(channel)) throw notAMember()
  return channel
}

interface AccessServices {
  pool: pg.Pool
  doors: Doors
}

/** The place of a message that a user may see. */
export interface OpenMessage {
  id: string
  /** The id of its parent if it is a reply. */
  threadId: string | null
  channel: OpenChannel
}

/**
 * The door to a message for the readers of its channel.
 * @throws AppError 404 for all others, as for a message that does not exist
 */
export async function readableMessage(
  services: AccessServices,
  userId: string,
  messageId: string,
): Promise<OpenMessage> {
  return loadMessage(services, messageId, (channelId) => readableChannel(services.doors, userId, channelId))
}

/**
 * The door to a message for the members of its channel.
 * @throws AppError 403 `not_a_member` if the channel is public, otherwise 404
 */
export async function memberMessage(services: AccessServices, userId: string, messageId: string): Promise<OpenMessage> {
  return loadMessage(services, messageId, (channelId) => memberChannel(services.doors, userId, channelId))
}

/** The door to a thread, which is its parent's. @throws AppError 404 for a reply, which has no thread */
export function requireThreadParent(message: OpenMessage): OpenMessage {
  if (message.threadId) throw notFound('errors.threadNotFound')
  return message
}

/**
 * The door for uploads: a channel for its members, the public bucket for everyone.
 * @throws AppError 404, or 403 `not_a_member`
 */
export async function uploadChannel(doors: Doors, userId: string, channelId: string): Promise<OpenChannel> {
  const channel = await readableChannel(doors, userId, channelId)
  if (!can.uploadTo(channel)) throw notAMember()
  return channel
}

const FILE_STATEMENT = {
  name: 'file_door',
  text: `select id, name, type, size, width, height, "thumbnailSize", "createdAt", "userId", "channelId", "messageId", "isShown"
    from files where id = $1 and state = 'ready'`,
}

/**
 * The door to a file for the current readers of its channel; until its message is sent, for its uploader only.
 * @throws AppError 404 for all others, as for a file that does not exist
 */
export async function readableFile({ pool, doors }: AccessServices, userId: string, fileId: string): Promise<FileRow> {
  const { rows } = await pool.query<FileRow & { isShown: boolean }>({ ...FILE_STATEMENT, values: [fileId] })
  const [file] = rows
  if (!file || (!file.isShown && file.userId !== userId)) throw notFound('errors.fileNotFound')
  await readableChannel(doors, userId, file.channelId).catch((error) => {
    throw error.status === 404 ? notFound('errors.fileNotFound') : error
  })
  return file
}

/** Loads a message through the door of its channel. */
async function loadMessage(
  { pool }: AccessServices,
  id: string,
  loadChannel: (channelId: string) => Promise<OpenChannel>,
) {
  const { rows } = await pool.query<{ channelId: string; threadId: string | null }>(
    'select "channelId", "threadId" from messages where id = $1',
    [id],
  )
  const [found] = rows
  if (!found) throw notFound('errors.messageNotFound')
  const channel = await loadChannel(found.channelId).catch((error) => {
    throw error.status === 404 ? notFound('errors.messageNotFound') : error
  })
  return { id, threadId: found.threadId, channel }
}
