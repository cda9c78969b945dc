import { sql, type Transaction } from 'kysely'
import type { User } from '#contract/users'
import type { AccessChange } from '../changes/watch.ts'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import {
  audienceOf,
  channelRoom,
  everyone,
  type Realtime,
  type RealtimeSocket,
  userRoom,
  viewersRoom,
} from '../realtime.ts'
import type { Services } from '../services.ts'

/** Of the people asked about, who may hear a channel as a member; the others may where it is open and they look at it. */
interface Access {
  channelId: string
  asked: readonly string[]
  /** By id, with their names: who is let in is announced in the same turn. */
  members: Map<string, User>
  isOpen: boolean
  isDeleted: boolean
  /** When its members, name or topic changed last: to tell of it under a later revision would hide what was said then. */
  selfRev: number
  memberCount: number
}

type RoomServices = Pick<Services, 'departures' | 'io' | 'publish'>

function socketsIn(io: Realtime, room: string): RealtimeSocket[] {
  const { adapter, sockets } = io.of('/')
  return [...(adapter.rooms.get(room) ?? [])].flatMap((id) => sockets.get(id) ?? [])
}
const socketsOf = (io: Realtime, userId: string) => socketsIn(io, userRoom(userId))

async function readAccess(db: Db | Transaction<DB>, channelId: string, asked: readonly string[]): Promise<Access> {
  const rows = await db
    .selectFrom('channels')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.channelId', '=', 'channels.id')
        .on('memberships.userId', '=', sql<string>`any(${asked}::text[])`),
    )
    .leftJoin('users', 'users.id', 'memberships.userId')
    .where('channels.id', '=', channelId)
    .select(['kind', 'channels.deletedAt', 'selfRev', 'memberCount', 'users.id', 'username', 'users.name'])
    .execute()
  const { kind, deletedAt, selfRev = 0, memberCount = 0 } = rows[0] ?? {}
  const isDeleted = Boolean(deletedAt)
  const members = new Map<string, User>()
  if (!isDeleted)
    for (const { id, username, name } of rows)
      if (id !== null && username !== null && name !== null) members.set(id, { id, username, name })
  return { channelId, asked, members, isOpen: kind === 'public', isDeleted, selfRev, memberCount }
}

/** Tells all who know a deleted channel that it is gone, where nobody told them yet, and puts its sockets out. */
function closeRoom({ io, publish }: Pick<Services, 'io' | 'publish'>, channelId: string, isOpen: boolean) {
  const room = channelRoom(channelId)
  publish(audienceOf(channelId, isOpen), 'channel:deleted', { channelId, memberIds: [] })
  io.in(room).socketsLeave([room, viewersRoom(channelId)])
}

/** Puts a socket out of a channel, which hears that it left. */
function evict({ departures, publish }: RoomServices, socket: RealtimeSocket, channelId: string) {
  departures.note(channelId, socket.data.userId)
  void socket.leave(channelRoom(channelId))
  void socket.leave(viewersRoom(channelId))
  publish(socket.id, 'channel:left', { channelId })
}

/** Whether somebody who is no member hears a channel for as long as they look at it. */
const isViewing = ({ rooms }: RealtimeSocket, channelId: string, isOpen: boolean) =>
  isOpen && rooms.has(viewersRoom(channelId))

/** Lets in the sockets of those who are members, and puts out those of the others, of all people who were asked about. */
function place(services: RoomServices, access: Access) {
  const { channelId, asked, members, isOpen, selfRev: rev, memberCount } = access
  const { io, publish } = services
  // Read before the deletion was noticed: to hear that one has left would be another thing, and the last thing to hear.
  if (access.isDeleted) return closeRoom(services, channelId, isOpen)
  const room = channelRoom(channelId)
  for (const userId of asked) {
    const user = members.get(userId)
    const joined: string[] = []
    for (const socket of socketsOf(io, userId)) {
      const isIn = socket.rooms.has(room)
      if (user && !isIn) {
        void socket.join(room)
        joined.push(socket.id)
      } else if (!user && isIn && !isViewing(socket, channelId, isOpen)) evict(services, socket, channelId)
    }
    if (user && joined.length > 0) publish(joined, 'channel:member_joined', { channelId, rev, memberCount, user })
  }
}

/** Which of those who hear a channel are its members: read where it becomes private, in the same transaction. */
export const readRoomAccess = ({ io }: Pick<Services, 'io'>, db: Db | Transaction<DB>, channelId: string) =>
  readAccess(db, channelId, [...new Set(socketsIn(io, channelRoom(channelId)).map(({ data }) => data.userId))])

/**
 * Shuts a channel that became private: whoever is no member hears no more of it, and for them it is gone. Call it at its
 * place in the channel's queue, before anything else is told there; it waits for nothing.
 */
export function evictNonMembers(services: RoomServices, { channelId, asked, members, isOpen, isDeleted }: Access) {
  if (isDeleted) return closeRoom(services, channelId, isOpen)
  if (isOpen) return
  const { departures, io, publish } = services
  departures.note(channelId)
  const known = new Set(asked)
  for (const socket of socketsIn(io, channelRoom(channelId))) {
    const { userId } = socket.data
    if (members.has(userId)) continue
    evict(services, socket, channelId)
    // Who came in while the members were read may be one: coming back, the browser enters all that is theirs.
    if (!known.has(userId)) socket.conn.close()
  }
  publish(everyone, 'channel:deleted', { channelId, memberIds: [] }, channelRoom(channelId))
}

/** Puts out who hears a channel and may not any more; where that cannot be known, all who hear it begin anew. Never rejects. */
export async function recheckRoom(services: RoomServices & Pick<Services, 'db' | 'log'>, channelId: string) {
  const { db, departures, io, log } = services
  departures.note(channelId)
  try {
    place(services, await readRoomAccess(services, db, channelId))
  } catch (error) {
    log.warn({ err: error }, 'it is not known who may hear a channel: its sockets begin anew')
    for (const { conn } of socketsIn(io, channelRoom(channelId))) conn.close()
  }
}

/**
 * Brings the sockets of some people in line with their membership of a channel. Their membership is read at its place in
 * the channel's queue, so that nothing that this node does meanwhile makes it untrue.
 */
export function syncRoom(services: Services, channelId: string, userIds: readonly string[]) {
  return services.writer.change(
    channelId,
    (tx) => readAccess(tx, channelId, userIds),
    (access) => place(services, access),
  )
}

/**
 * Sockets follow memberships, whichever node changed them, also where it gave up or died before it could move them.
 * Answers what takes the changes that were noticed.
 */
export function syncRoomsWithMemberships(services: Services) {
  const { departures, io, log, writer } = services
  /** Whose sockets are to be brought in line, by channel ('': all who hear it): tried with each look until it worked. */
  const unsettled = new Map<string, Set<string>>()
  const settling = new Set<string>()
  /** Deleted channels. Where this node is at work in one, it may be about to publish that itself, with the members' ids. */
  const deleted = new Map<string, AccessChange>()

  const toSettle = (channelId: string, userIds: readonly string[]) =>
    unsettled.set(channelId, new Set([...(unsettled.get(channelId) ?? []), ...userIds]))

  /** What is read here may be older than what this node has done since, so only the queue lets anybody in. */
  function followPerson({ channelId, userId, isMember, isPublic }: AccessChange) {
    const room = channelRoom(channelId)
    const sockets = socketsOf(io, userId)
    const wrong = sockets.filter(
      (socket) =>
        socket.rooms.has(room) !== isMember && !(socket.rooms.has(room) && isViewing(socket, channelId, isPublic)),
    )
    // To hear nothing for a moment does less harm than to hear what one may not.
    if (!isMember) departures.note(channelId, userId)
    if (!isMember) for (const socket of wrong) evict(services, socket, channelId)
    if (wrong.length > 0 || (sockets.length > 0 && writer.isBusy(channelId))) toSettle(channelId, [userId])
  }

  function followChannel(change: AccessChange) {
    const { channelId, isPublic, isDeleted } = change
    if (isDeleted) deleted.set(channelId, change)
    else if (!isPublic) toSettle(channelId, [''])
  }

  async function settle(channelId: string, userIds: Set<string>) {
    settling.add(channelId)
    unsettled.delete(channelId)
    try {
      const people = [...userIds].filter((userId) => userId !== '')
      if (people.length > 0) await syncRoom(services, channelId, people)
      if (userIds.has(''))
        await writer.change(
          channelId,
          (tx) => readRoomAccess(services, tx, channelId),
          (access) => evictNonMembers(services, access),
        )
    } catch (error) {
      log.warn({ err: error }, 'sockets could not follow a membership yet')
      toSettle(channelId, [...userIds])
    } finally {
      settling.delete(channelId)
    }
  }

  return (changes: readonly AccessChange[]) => {
    for (const change of changes) if (change.userId === '') followChannel(change)
    for (const { channelId, isPublic } of deleted.values())
      if (!writer.isBusy(channelId)) {
        deleted.delete(channelId)
        closeRoom(services, channelId, isPublic)
      }
    for (const change of changes) if (change.userId !== '' && !change.isDeleted) followPerson(change)
    for (const [channelId, userIds] of unsettled) if (!settling.has(channelId)) void settle(channelId, userIds)
  }
}
