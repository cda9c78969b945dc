import { LRUCache } from 'lru-cache'
import type { Bus } from '../bus/bus.ts'
import type { Db } from '../db/database.ts'
import { upTo } from '../process/up-to.ts'
import { channelRoom, type Realtime, userRoom, viewersRoom } from '../realtime.ts'
import type { Departures } from './departures.ts'
import type { Removal, Removals } from './removals.ts'
import type { RoomQueues } from './room-queues.ts'

/** What a node sends to the others when members' sockets have to move. `rev` is the revision of the change. */
export type RoomChange =
  | [kind: 'joined', channelId: string, userIds: string[], rev: number]
  /** Nodes of the version before leave out the removal. */
  | [kind: 'left', channelId: string, userId: string, rev: number, removal?: Removal]
  /** It became private: sockets of non-members leave it. */
  | [kind: 'private', channelId: string]
  | [kind: 'closed', channelId: string]

export type RoomMembers = ReturnType<typeof createRoomMembers>

type ChannelRemoval = Removal & { rev: number }

interface Options {
  db: Db
  io: Realtime
  bus: Pick<Bus, 'send'>
  departures: Departures
  removals: Removals
  roomQueues: RoomQueues
}

const MAX_REMEMBERED = 20_000

/**
 * Moves the sockets of a channel's members on all nodes, in the order of the calls and events. Call it after the commit and
 * before publishing what they may receive now, or no longer. What does not arrive, the poll for changes brings.
 */
export function createRoomMembers({ db, io, bus, departures, removals, roomQueues }: Options) {
  /**
   * By channel and user: the revision of the last change of the membership that was applied here. Under '' for all who are
   * no members.
   */
  const applied = new LRUCache<string, number>(upTo(MAX_REMEMBERED))

  function note(channelId: string, userId: string, rev: number) {
    applied.set(`${channelId} ${userId}`, Math.max(rev, applied.get(`${channelId} ${userId}`) ?? 0))
  }
  /** Another node's change may arrive after a later one that was made or read here. */
  const isOutdated = (channelId: string, userId: string, rev: number) =>
    rev <= (applied.get(`${channelId} ${userId}`) ?? 0)

  function removeHere(channelId: string, userId: string) {
    departures.note(channelId, userId)
    io.in(userRoom(userId)).socketsLeave([channelRoom(channelId), viewersRoom(channelId)])
  }
  /** After the events that still wait. */
  const closeHere = (channelId: string) =>
    roomQueues.enqueue(channelId, () => {
      io.in(channelRoom(channelId)).socketsLeave([channelRoom(channelId), viewersRoom(channelId)])
    })

  return {
    note,
    isOutdated,
    /** Call when the database is another one: its revisions mean something else. */
    reset: () => applied.clear(),

    join(channelId: string, userIds: string[], rev: number) {
      // Another node may have removed some meanwhile.
      const here = userIds.filter((userId) => !isOutdated(channelId, userId, rev + 1))
      for (const userId of here) note(channelId, userId, rev)
      if (here.length > 0) io.in(here.map(userRoom)).socketsJoin(channelRoom(channelId))
      bus.send(['joined', channelId, userIds, rev] satisfies RoomChange)
    },
    leave(channelId: string, userId: string, { rev, lastRemoval, previousRemoval }: ChannelRemoval) {
      const removal = { lastRemoval, previousRemoval }
      note(channelId, userId, rev)
      removeHere(channelId, userId)
      removals.applyOne(channelId, removal)
      roomQueues.resume(channelId)
      bus.send(['left', channelId, userId, rev, removal] satisfies RoomChange)
    },
    close(channelId: string) {
      closeHere(channelId)
      bus.send(['closed', channelId] satisfies RoomChange)
    },
    /** The sockets of this node have left: see `evictNonMembers`. */
    becamePrivate(channelId: string) {
      bus.send(['private', channelId] satisfies RoomChange)
    },

    closeHere,
    /** Another node removed a member. Leaving is safe without asking the database. */
    applyLeft(channelId: string, userId: string, rev: number, removal?: Removal) {
      if (!isOutdated(channelId, userId, rev)) {
        note(channelId, userId, rev)
        removeHere(channelId, userId)
      }
      if (!removal) return
      removals.applyOne(channelId, removal)
      roomQueues.resume(channelId)
    },
    /**
     * Another node added members. Those who still are members join; nothing is done without their sockets.
     * @returns users who were removed meanwhile, and may be members again; undefined if there was nothing to do
     */
    applyJoined(channelId: string, userIds: string[], rev: number): Promise<string[]> | undefined {
      const here = userIds.filter(
        (userId) => !isOutdated(channelId, userId, rev) && io.of('/').adapter.rooms.has(userRoom(userId)),
      )
      if (here.length === 0) return undefined
      const reading = readMembers(db, channelId, here)
      const joining = here.map((userId) =>
        departures.during(
          userId,
          () => reading,
          (members, lost) => {
            if (lost.has(channelId)) return [userId]
            note(channelId, userId, rev)
            if (members.has(userId)) io.in(userRoom(userId)).socketsJoin(channelRoom(channelId))
            return []
          },
        ),
      )
      return Promise.all(joining).then((uncertain) => uncertain.flat())
    },
  }
}

/** Those of some users who are members of a channel that exists. */
async function readMembers(db: Db, channelId: string, userIds: string[]): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('channels', 'channels.id', 'memberships.channelId')
    .select('userId')
    .where('channelId', '=', channelId)
    .where('userId', 'in', userIds)
    .where('deletedAt', 'is', null)
    .execute()
  return new Set(rows.map(({ userId }) => userId))
}
