import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import type { Db } from './db/database.ts'
import type { DB } from './db/schema.ts'
import { channelRoom, everyone, lookersRoom, type Realtime, type RealtimeSocket, userRoom } from './realtime.ts'
import type { AccessChange } from './watch.ts'

/** Of the people asked about, who may hear a channel as a member; the others may where it is open and they look at it. */
interface Access {
  channelId: string
  asked: readonly string[]
  members: Set<string>
  isOpen: boolean
  rev: number
  memberCount: number
}

function socketsIn(io: Realtime, room: string): RealtimeSocket[] {
  const { adapter, sockets } = io.of('/')
  return [...(adapter.rooms.get(room) ?? [])].flatMap((id) => sockets.get(id) ?? [])
}
const socketsOf = (io: Realtime, userId: string) => socketsIn(io, userRoom(userId))

/** Those who have a channel before their eyes: some of them may be no members. */
const lookersAt = (io: Realtime, channelId: string) => [
  ...new Set(socketsIn(io, lookersRoom(channelId)).map(({ data }) => data.userId)),
]

async function readAccess(db: Db | Transaction<DB>, channelId: string, asked: readonly string[]): Promise<Access> {
  const rows = await db
    .selectFrom('channels')
    .leftJoin('memberships', (join) =>
      join
        .onRef('memberships.channelId', '=', 'channels.id')
        .on('memberships.userId', '=', sql<string>`any(${asked}::text[])`),
    )
    .where('channels.id', '=', channelId)
    .where('deletedAt', 'is', null)
    .select(['kind', 'rev', 'memberCount', 'memberships.userId'])
    .execute()
  const members = new Set(rows.flatMap(({ userId }) => userId ?? []))
  const { kind, rev = 0, memberCount = 0 } = rows[0] ?? {}
  return { channelId, asked, members, isOpen: kind === 'public', rev, memberCount }
}

/** Puts a socket out of a channel, which hears that it left. */
function putOut({ publish }: FastifyInstance, socket: RealtimeSocket, channelId: string) {
  void socket.leave(channelRoom(channelId))
  void socket.leave(lookersRoom(channelId))
  publish(socket.id, 'channel:left', { channelId })
}

/** Whether somebody who is no member hears a channel for as long as they look at it. */
const isVisiting = ({ rooms }: RealtimeSocket, channelId: string, isOpen: boolean) =>
  isOpen && rooms.has(lookersRoom(channelId))

/** Lets in the sockets of those who are members, and puts out those of the others, of all people who were asked about. */
async function place(app: FastifyInstance, { channelId, asked, members, isOpen, rev, memberCount }: Access) {
  const { io, people, publish } = app
  const room = channelRoom(channelId)
  const joined = new Map<string, string[]>()
  for (const userId of asked)
    for (const socket of socketsOf(io, userId)) {
      const isIn = socket.rooms.has(room)
      if (members.has(userId) && !isIn) {
        void socket.join(room)
        joined.set(userId, [...(joined.get(userId) ?? []), socket.id])
      } else if (!members.has(userId) && isIn && !isVisiting(socket, channelId, isOpen)) putOut(app, socket, channelId)
    }
  if (joined.size === 0) return
  const named = await people.named([...joined.keys()])
  for (const [userId, sockets] of joined)
    publish(sockets, 'channel:member_joined', { channelId, rev, memberCount, user: named(userId) })
}

/** Of all who look at a channel, who may. */
const readLookers = (app: FastifyInstance, db: Db | Transaction<DB>, channelId: string) =>
  readAccess(db, channelId, lookersAt(app.io, channelId))

/** Puts out who looks at a channel and may not any more; where it is private, it is gone for all who are not in it. */
async function shut(app: FastifyInstance, access: Access) {
  const { channelId, isOpen } = access
  await place(app, access)
  if (!isOpen) app.publish(everyone, 'channel:deleted', { channelId, memberIds: [] }, channelRoom(channelId))
}

/** Shuts a channel that became private; call it at its place in the channel's queue, before its new state is told. */
export async function shutRoom(app: FastifyInstance, channelId: string) {
  await shut(app, await readLookers(app, app.db, channelId))
}

/**
 * Brings the sockets of some people in line with their membership of a channel. Their membership is read at its place in
 * the channel's queue, so that nothing that this node does meanwhile makes it untrue.
 */
export function settleRoom(app: FastifyInstance, channelId: string, userIds: readonly string[]) {
  return app.writer.change(
    channelId,
    (tx) => readAccess(tx, channelId, userIds),
    (access) => place(app, access),
  )
}

/**
 * Sockets follow memberships, whichever node changed them, also where it gave up or died before it could move them.
 * Answers what takes the changes that were noticed.
 */
export function followAccess(app: FastifyInstance) {
  const { io, log, publish, writer } = app
  /** Whose sockets are to be brought in line, by channel ('': who looks at it): tried with each look until it worked. */
  const unsettled = new Map<string, Set<string>>()
  const settling = new Set<string>()

  const toSettle = (channelId: string, userIds: readonly string[]) =>
    unsettled.set(channelId, new Set([...(unsettled.get(channelId) ?? []), ...userIds]))

  /** What is read here may be older than what this node has done since, so only the queue lets anybody in. */
  function followPerson({ channelId, userId, isMember, isPublic }: AccessChange) {
    const room = channelRoom(channelId)
    const sockets = socketsOf(io, userId)
    const wrong = sockets.filter(
      (socket) =>
        socket.rooms.has(room) !== isMember && !(socket.rooms.has(room) && isVisiting(socket, channelId, isPublic)),
    )
    // To hear nothing for a moment does less harm than to hear what one may not.
    if (!isMember) for (const socket of wrong) putOut(app, socket, channelId)
    if (wrong.length > 0 || (sockets.length > 0 && writer.isBusy(channelId))) toSettle(channelId, [userId])
  }

  function followChannel({ channelId, isPublic, isDeleted }: AccessChange) {
    const room = channelRoom(channelId)
    if (isDeleted && socketsIn(io, room).length > 0) {
      publish(isPublic ? everyone : room, 'channel:deleted', { channelId, memberIds: [] })
      io.in(room).socketsLeave([room, lookersRoom(channelId)])
    }
    if (!isDeleted && !isPublic) toSettle(channelId, [''])
  }

  async function settle(channelId: string, userIds: Set<string>) {
    settling.add(channelId)
    unsettled.delete(channelId)
    try {
      const people = [...userIds].filter((userId) => userId !== '')
      if (people.length > 0) await settleRoom(app, channelId, people)
      if (userIds.has(''))
        await writer.change(
          channelId,
          (tx) => readLookers(app, tx, channelId),
          (access) => shut(app, access),
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
    for (const change of changes) if (change.userId !== '' && !change.isDeleted) followPerson(change)
    for (const [channelId, userIds] of unsettled) if (!settling.has(channelId)) void settle(channelId, userIds)
  }
}
