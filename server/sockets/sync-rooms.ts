import { sql, type Transaction } from 'kysely'
import type { User } from '#contract/users'
import type { AccessChange } from '../changes/watch.ts'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import type { Realtime } from '../realtime/open-realtime.ts'
import {
  audienceOf,
  channelRoom,
  everyone,
  type ServerSocket,
  type SocketServer,
  socketsIn,
  userRoom,
  viewersRoom,
} from '../realtime/rooms.ts'
import type { Services } from '../services.ts'

/** Which of `userIds` are members of a channel. The others may view it if it is public. */
interface RoomAccess {
  channelId: string
  userIds: readonly string[]
  /** By id, with their names for `channel:member_joined`. */
  members: Map<string, User>
  isPublic: boolean
  isDeleted: boolean
  /** The revision of its last change of members, name or topic. Events with a later revision would hide messages. */
  selfRev: number
  memberCount: number
  lastRemoval: number
}

/** Placeholder user id for everyone who lost access when a channel became private. */
const EVERYONE_ELSE = ''

const socketsOf = (io: SocketServer, userId: string) => socketsIn(io, userRoom(userId))

async function readAccess(
  db: Db | Transaction<DB>,
  channelId: string,
  userIds: readonly string[],
): Promise<RoomAccess> {
  const rows = await db
    .selectFrom('channels')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.channelId', '=', 'channels.id')
        .on('memberships.userId', '=', sql<string>`any(${userIds}::text[])`),
    )
    // A guest's memberships end with their time.
    .leftJoin('users', (join) =>
      join
        .onRef('users.id', '=', 'memberships.userId')
        .on(sql<boolean>`(users.role <> 'guest' or users."guestUntil" > clock_timestamp())`),
    )
    .where('channels.id', '=', channelId)
    .select(['kind', 'channels.deletedAt', 'selfRev', 'memberCount', 'lastRemoval'])
    .select(['users.id', 'username', 'users.name'])
    .execute()
  const { kind, deletedAt, selfRev = 0, memberCount = 0, lastRemoval = 0 } = rows[0] ?? {}
  const isDeleted = Boolean(deletedAt)
  const members = new Map<string, User>()
  if (!isDeleted)
    for (const { id, username, name } of rows)
      if (id !== null && username !== null && name !== null) members.set(id, { id, username, name })
  const isPublic = kind === 'public'
  return { channelId, userIds, members, isPublic, isDeleted, selfRev, memberCount, lastRemoval }
}

/** Publishes the deletion of a channel unless that was done already, and removes its sockets. */
function closeRoom({ publishHere, memberSockets }: Realtime, channelId: string, isPublic: boolean) {
  publishHere(audienceOf(channelId, isPublic), 'channel:deleted', { channelId, memberIds: [] })
  memberSockets.closeHere(channelId)
}

/** Removes a socket from a channel and publishes `channel:left` to it. */
function evict({ departures, publishHere }: Realtime, socket: ServerSocket, channelId: string) {
  departures.note(channelId, socket.data.userId)
  void socket.leave(channelRoom(channelId))
  void socket.leave(viewersRoom(channelId))
  publishHere(socket.id, 'channel:left', { channelId })
}

/** Whether a non-member's socket may stay because it has a public channel open; never true of a guest's. */
const isViewing = ({ rooms }: ServerSocket, channelId: string, isPublic: boolean) =>
  isPublic && rooms.has(everyone) && rooms.has(viewersRoom(channelId))

/** Joins the sockets of members to the channel, and removes those of the other users. */
function applyAccess(realtime: Realtime, access: RoomAccess) {
  const { channelId, userIds, members, isPublic, selfRev: rev, memberCount } = access
  const { io, memberSockets, publishHere } = realtime
  // Its members receive `channel:deleted` instead of `channel:left`.
  if (access.isDeleted) return closeRoom(realtime, channelId, isPublic)
  const room = channelRoom(channelId)
  for (const userId of userIds) {
    const user = members.get(userId)
    const joined: string[] = []
    for (const socket of socketsOf(io, userId)) {
      const isIn = socket.rooms.has(room)
      if (user && !isIn) {
        void socket.join(room)
        joined.push(socket.id)
      } else if (!user && isIn && !isViewing(socket, channelId, isPublic)) evict(realtime, socket, channelId)
    }
    if (!user || joined.length === 0) continue
    publishHere(joined, 'channel:member_joined', { channelId, rev, memberCount, user })
    memberSockets.tellMissed(channelId, [userId], rev)
  }
}

/** Reads which users in a channel's room are its members. When it becomes private, call it in that transaction. */
export const readRoomAccess = ({ io }: Pick<Realtime, 'io'>, db: Db | Transaction<DB>, channelId: string) =>
  readAccess(db, channelId, [...new Set(socketsIn(io, channelRoom(channelId)).map(({ data }) => data.userId))])

/**
 * Removes the sockets of non-members from a channel that became private, and publishes its deletion to everyone else. Call
 * it from the channel's queue, before anything else is published there; it is synchronous.
 */
export function evictNonMembers(
  realtime: Realtime,
  { channelId, userIds, members, isPublic, isDeleted, selfRev, lastRemoval }: RoomAccess,
) {
  if (isDeleted) return closeRoom(realtime, channelId, isPublic)
  if (isPublic) return
  const { departures, io, publishHere, removals, memberSockets } = realtime
  departures.note(channelId)
  memberSockets.note(channelId, EVERYONE_ELSE, selfRev, false)
  const known = new Set(userIds)
  for (const socket of socketsIn(io, channelRoom(channelId))) {
    const { userId } = socket.data
    if (members.has(userId)) continue
    evict(realtime, socket, channelId)
    // A user who joined during the query may be a member: their browser reconnects and joins its channels again.
    if (!known.has(userId)) socket.conn.close()
  }
  removals.applyAll(channelId, lastRemoval)
  publishHere(everyone, 'channel:deleted', { channelId, memberIds: [] }, channelRoom(channelId))
}

/** The same for a channel that another node made private, before any queued event is published there. */
export function removeNonMembers({ log, realtime, writer }: Services, channelId: string) {
  const { departures, io, roomQueues } = realtime
  departures.note(channelId)
  const remove = () =>
    writer.change(
      channelId,
      (tx) => readRoomAccess(realtime, tx, channelId),
      (access) => evictNonMembers(realtime, access),
    )
  roomQueues.enqueueFirst(channelId, async () => {
    await remove().catch((error) => {
      log.warn({ err: error }, 'could not read the members of a channel: closing its sockets')
      // They join their channels again.
      for (const { conn } of socketsIn(io, channelRoom(channelId))) conn.close()
    })
  })
}

/**
 * Makes users' sockets match their membership of a channel. The membership is read in the channel's queue, so no change by
 * this node can outdate it.
 */
export function syncRoom({ realtime, writer }: Services, channelId: string, userIds: readonly string[]) {
  return writer.change(
    channelId,
    (tx) => readAccess(tx, channelId, userIds),
    (access) => applyAccess(realtime, access),
  )
}

/**
 * Makes sockets match memberships whichever node changed them, even if it died before it could move its sockets.
 * @returns a function that applies the polled changes
 */
export function syncRoomsWithMemberships(services: Services) {
  const { log, realtime, writer } = services
  const { departures, io, memberSockets, publishHere, roomQueues } = realtime
  /** Users to synchronize, by channel. Retried with each poll until it succeeds. */
  const pending = new Map<string, Set<string>>()
  const syncing = new Set<string>()
  /** Deleted channels. A node that is changing one may be about to publish the deletion itself, with the member ids. */
  const deleted = new Map<string, AccessChange>()

  const markPending = (channelId: string, userIds: readonly string[]) =>
    pending.set(channelId, new Set([...(pending.get(channelId) ?? []), ...userIds]))

  /** The polled change may be older than this node's own, so sockets join only through the channel's queue. */
  function applyMembership({ channelId, userId, isMember, isPublic, selfRev }: AccessChange) {
    const isNews = !memberSockets.isOutdated(channelId, userId, selfRev)
    memberSockets.note(channelId, userId, selfRev, isMember)
    const room = channelRoom(channelId)
    const sockets = socketsOf(io, userId)
    const outside = sockets.filter(({ rooms }) => !rooms.has(room))
    const wrong = sockets.filter(
      (socket) =>
        socket.rooms.has(room) !== isMember && !(socket.rooms.has(room) && isViewing(socket, channelId, isPublic)),
    )
    // Leave at once: briefly missing events does less harm than receiving forbidden ones.
    if (!isMember) departures.note(channelId, userId)
    if (!isMember) for (const socket of wrong) evict(realtime, socket, channelId)
    // The client may know of a membership that began and ended between two polls.
    if (!isMember && isNews) for (const { id } of outside) publishHere(id, 'channel:left', { channelId })
    if (wrong.length > 0 || (sockets.length > 0 && writer.isBusy(channelId))) markPending(channelId, [userId])
  }

  function applyChannel(change: AccessChange) {
    const { channelId, isPublic, isDeleted, selfRev } = change
    if (isDeleted) deleted.set(channelId, change)
    // Repeating it would disconnect users who have connected since.
    else if (!isPublic && !memberSockets.isOutdated(channelId, EVERYONE_ELSE, selfRev))
      removeNonMembers(services, channelId)
  }

  /** Later events of the channel wait, so that new members receive them. */
  function sync(channelId: string, userIds: Set<string>) {
    syncing.add(channelId)
    pending.delete(channelId)
    roomQueues.enqueueFirst(channelId, async () => {
      try {
        await syncRoom(services, channelId, [...userIds])
      } catch (error) {
        log.warn({ err: error }, 'could not synchronize sockets with memberships; retrying')
        markPending(channelId, [...userIds])
      } finally {
        syncing.delete(channelId)
      }
    })
  }

  return (changes: readonly AccessChange[]) => {
    for (const change of changes) if (change.userId === EVERYONE_ELSE) applyChannel(change)
    for (const { channelId, isPublic } of deleted.values())
      if (!writer.isBusy(channelId)) {
        deleted.delete(channelId)
        closeRoom(realtime, channelId, isPublic)
      }
    for (const change of changes) if (change.userId !== EVERYONE_ELSE && !change.isDeleted) applyMembership(change)
    for (const [channelId, userIds] of pending) if (!syncing.has(channelId)) sync(channelId, userIds)
  }
}
