import DataLoader from 'dataloader'
import type pg from 'pg'
import { can } from '#contract/can'
import type { ChannelLevel } from '#contract/channels'
import { type ChangedPermissions, permissionsOf } from '#contract/permission-table'
import type { Permission } from '#contract/permissions'
import type { Role } from '#contract/roles'
import { archived, forbidden, notAMember, notFound } from '../errors.ts'
import type { FileRow } from '../files/file-rows.ts'

/** A channel as one user may see it. */
export interface OpenChannel {
  id: string
  kind: 'public' | 'private' | 'direct'
  name: string
  ownerId: string | null
  isGeneral: boolean
  archivedAt: string | null
  posting: ChannelLevel
  posters: string[]
  areRepliesOpen: boolean
  broadcasting: ChannelLevel
  isMember: boolean
  /** The user for whom it was loaded. */
  viewer: { id: string; role: Role; may: Permission[] }
  rev: number
  /** The workspace's people version. A page of messages stays the same until this or `rev` changes. */
  peopleVersion: number
  /** Identifies the database: numbers from another one are not comparable. */
  epoch: string
}

const CHANNELS_STATEMENT = {
  name: 'channel_doors',
  // A guest's memberships end with their time, even before they are signed out.
  text: `select c.id, c.kind, c.name, c."ownerId", c.id = w."generalId" as "isGeneral", c."archivedAt", c.posting, c.posters,
      c."areRepliesOpen", c.broadcasting, m."userId" is not null as "isMember", c.rev, w."peopleVersion", w.epoch,
      w.permissions, coalesce(u.role, 'guest') as role, requested.person
    from unnest($1::uuid[], $2::text[]) with ordinality as requested(channel, person, position)
    cross join workspace w
    left join channels c on c.id = requested.channel and c."deletedAt" is null
    left join users u on u.id = requested.person
    left join memberships m on m."channelId" = c.id and m."userId" = requested.person
      and (u.role <> 'guest' or u."guestUntil" > clock_timestamp())
    order by requested.position`,
}

export type Doors = ReturnType<typeof createDoors>

/**
 * Loads channels as a user may see them. Nothing is cached, but all loads of one turn of the event loop share a query. It starts
 * after the last of them, so each result is as fresh as from a separate query.
 */
export function createDoors(pool: pg.Pool) {
  const load = async (keys: readonly { channelId: string; userId: string }[]) => {
    const values = [keys.map(({ channelId }) => channelId), keys.map(({ userId }) => userId)]
    const { rows } = await pool.query<DoorRow | { id: null }>({ ...CHANNELS_STATEMENT, values })
    return rows.map((row) => (row.id === null ? undefined : openChannel(row)))
  }
  return new DataLoader(load, { cache: false, maxBatchSize: 500, batchScheduleFn: setImmediate })
}

type DoorRow = Omit<OpenChannel, 'viewer'> & { permissions: ChangedPermissions; role: Role; person: string }

const openChannel = ({ permissions, role, person, ...channel }: DoorRow): OpenChannel => ({
  ...channel,
  viewer: { id: person, role, may: permissionsOf(role, permissions) },
})

/**
 * The door to a channel for its readers: everyone but guests if it is public, otherwise its members.
 * @throws AppError 404 for all others, as for a channel that does not exist
 */
export async function readableChannel(doors: Doors, userId: string, channelId: string): Promise<OpenChannel> {
  const channel = await doors.load({ channelId, userId })
  if (!channel || !can.readIn(channel.viewer, channel)) throw notFound('errors.channelNotFound')
  return channel
}

/**
 * Those of these messages that a user may read. Call it after the read: somebody removed meanwhile must not see what was changed
 * after the removal.
 */
export async function readableAmong<M extends { channelId: string }>(doors: Doors, userId: string, messages: M[]) {
  const ids = [...new Set(messages.map(({ channelId }) => channelId))]
  const channels = await doors.loadMany(ids.map((channelId) => ({ channelId, userId })))
  const readable = new Set<string>()
  for (const channel of channels) {
    if (channel instanceof Error) throw channel
    if (channel && can.readIn(channel.viewer, channel)) readable.add(channel.id)
  }
  return messages.filter(({ channelId }) => readable.has(channelId))
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

/** The version of a channel that a user may read. */
export type ChannelVersion = Pick<OpenChannel, 'id' | 'epoch' | 'rev' | 'peopleVersion'>

const MOVED_STATEMENT = {
  name: 'moved_doors',
  // `can.readIn` in SQL. Looks up memberships only for channels that are not public.
  text: `select w.epoch, w."peopleVersion", moved.*
    from workspace w left join lateral (
      select held.id, held.rev as after, c.rev, c.id is not null and readable.yes as "isReadable"
      from unnest($1::uuid[], $2::bigint[]) with ordinality as held(id, rev, position)
      left join channels c on c.id = held.id and c."deletedAt" is null
      cross join lateral (select (c.kind = 'public' and not exists (select from users u where u.id = $3 and u.role = 'guest'))
        or exists (select from memberships m join users u on u.id = m."userId" where m."channelId" = c.id and m."userId" = $3
          and (u.role <> 'guest' or u."guestUntil" > clock_timestamp())) as yes) readable
      where c.rev is distinct from held.rev or not readable.yes
      order by held.position
    ) moved on true`,
}

interface MovedRow extends ChannelVersion {
  /** Null in the only row if nothing moved. */
  id: string
  after: number
  isReadable: boolean
}

/**
 * The door to many channels at once, for a client that holds a revision of each. The database returns no rows for readable
 * channels without changes, so 200 of them cost a third of 200 single doors.
 * @param held revisions by channel id
 * @returns the epoch, the readable channels that have changed, with the held revision, and the ids of unreadable ones
 */
export async function movedChannels(pool: pg.Pool, userId: string, held: Record<string, number>) {
  const values = [Object.keys(held), Object.values(held), userId]
  const { rows } = await pool.query<MovedRow>({ ...MOVED_STATEMENT, values })
  const { epoch } = rows[0] as MovedRow
  const found = rows.filter(({ id }) => id !== null)
  return {
    epoch,
    moved: found.filter(({ isReadable }) => isReadable),
    gone: found.filter(({ isReadable }) => !isReadable).map(({ id }) => id),
  }
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
  if (!can.uploadTo(channel.viewer, { ...channel, isMember: true })) throw channel.archivedAt ? archived() : forbidden()
  if (!can.uploadTo(channel.viewer, channel)) throw notAMember()
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

/** The door to the picture of a link preview, for the current readers of its channel. @throws AppError 404 for all others */
export async function readablePreviewPicture({ pool, doors }: AccessServices, userId: string, fileId: string) {
  const { rows } = await pool.query<{ size: number; channelId: string }>(
    `select size, "channelId" from files where id = $1 and state = 'kept' and "messageId" is not null and "channelId" is not null`,
    [fileId],
  )
  const [picture] = rows
  if (!picture) throw notFound('errors.fileNotFound')
  await readableChannel(doors, userId, picture.channelId).catch((error) => {
    throw error.status === 404 ? notFound('errors.fileNotFound') : error
  })
  return picture
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
