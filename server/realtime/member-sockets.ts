import { LRUCache } from 'lru-cache'
import type { Bus } from '../bus/bus.ts'
import type { Db } from '../db/database.ts'
import type { Logger } from '../process/logger.ts'
import { upTo } from '../process/up-to.ts'
import type { Departures } from './departures.ts'
import type { HeldEvents } from './held-events.ts'
import type { Publisher } from './publisher.ts'
import type { Removal, Removals } from './removals.ts'
import type { RoomQueues } from './room-queues.ts'
import { channelRoom, type SocketServer, socketsIn, userRoom, viewersRoom } from './rooms.ts'

/** Broadcast when members' sockets join or leave a room. `rev` is the revision of the change. */
export type MembersChange =
  | { kind: 'joined'; channelId: string; userIds: string[]; rev: number }
  | { kind: 'left'; channelId: string; userId: string; rev: number; removal?: Removal }
  /** It became private: sockets of non-members leave it. */
  | { kind: 'private'; channelId: string }
  | { kind: 'closed'; channelId: string }

export type MemberSockets = ReturnType<typeof createMemberSockets>

type ChannelRemoval = Removal & { rev: number }

interface Options {
  db: Db
  io: SocketServer
  bus: Pick<Bus, 'send'>
  departures: Departures
  held: Pick<HeldEvents, 'pass'>
  log: Logger
  publisher: Pick<Publisher, 'lastPublishedRev' | 'publishHere'>
  removals: Removals
  roomQueues: RoomQueues
}

const MAX_REMEMBERED = 20_000

/**
 * Moves members' sockets in and out of a channel's room on all nodes, in order with its events. Call it after the commit and
 * before publishing. Polling for changes recovers lost moves.
 */
export function createMemberSockets({ db, io, bus, departures, held, log, publisher, removals, roomQueues }: Options) {
  const { lastPublishedRev, publishHere } = publisher
  const tell = (change: MembersChange) => bus.send(change)
  /**
   * By channel and user: the revision of the last membership change applied here. The user '' stands for all non-members.
   */
  const applied = new LRUCache<string, { rev: number; isMember: boolean }>(upTo(MAX_REMEMBERED))

  function note(channelId: string, userId: string, rev: number, isMember: boolean) {
    if (rev > (applied.get(`${channelId} ${userId}`)?.rev ?? 0))
      applied.set(`${channelId} ${userId}`, { rev, isMember })
  }
  /** Another node's change may arrive after a later one that was made or polled here. */
  const isOutdated = (channelId: string, userId: string, rev: number) =>
    rev <= (applied.get(`${channelId} ${userId}`)?.rev ?? 0)
  /** Whether a member as of a revision is known to have been removed since. */
  function wasRemoved(channelId: string, userId: string, rev: number) {
    const last = applied.get(`${channelId} ${userId}`)
    return last !== undefined && last.rev > rev && !last.isMember
  }

  function removeHere(channelId: string, userId: string) {
    departures.note(channelId, userId)
    io.in(userRoom(userId)).socketsLeave([channelRoom(channelId), viewersRoom(channelId)])
  }
  /** Runs after the events that are still queued. */
  const closeHere = (channelId: string) =>
    roomQueues.enqueue(channelId, () => {
      const leave = () => io.in(channelRoom(channelId)).socketsLeave([channelRoom(channelId), viewersRoom(channelId)])
      held.pass(leave, () => 0, false)
    })

  /**
   * Call after users' sockets joined a channel. This node may have published another node's change between their becoming
   * members and the join. Publishes the current revision to them, so that they refetch.
   * @param rev the revision at which they became members
   */
  function tellMissed(channelId: string, userIds: string[], rev: number) {
    if (lastPublishedRev(channelId) <= rev || userIds.length === 0) return
    const room = channelRoom(channelId)
    const socketsOf = (userId: string) => socketsIn(io, userRoom(userId)).filter(({ rooms }) => rooms.has(room))
    readMembers(db, channelId, userIds).then(
      (members) => {
        for (const { userId, ...latest } of members)
          for (const { id } of socketsOf(userId)) publishHere(id, 'channel:rev', { channelId, ...latest })
      },
      (error) => {
        log.warn({ err: error }, 'could not read the revision of a channel: closing the sockets of its new members')
        for (const { conn } of userIds.flatMap(socketsOf)) conn.close()
      },
    )
  }

  return {
    note,
    isOutdated,
    wasRemoved,
    tellMissed,
    /** Call when the database was replaced: its revisions are not comparable. */
    reset: () => applied.clear(),

    join(channelId: string, userIds: string[], rev: number) {
      // Another node may have removed some since.
      const here = userIds.filter((userId) => !isOutdated(channelId, userId, rev + 1))
      for (const userId of here) note(channelId, userId, rev, true)
      if (here.length > 0) io.in(here.map(userRoom)).socketsJoin(channelRoom(channelId))
      tellMissed(channelId, here, rev)
      tell({ kind: 'joined', channelId, userIds, rev })
    },
    leave(channelId: string, userId: string, { rev, lastRemoval, previousRemoval }: ChannelRemoval) {
      const removal = { lastRemoval, previousRemoval }
      note(channelId, userId, rev, false)
      removeHere(channelId, userId)
      removals.applyOne(channelId, removal)
      roomQueues.resume(channelId)
      tell({ kind: 'left', channelId, userId, rev, removal })
    },
    close(channelId: string) {
      closeHere(channelId)
      tell({ kind: 'closed', channelId })
    },
    /** The sockets of this node have left: see `evictNonMembers`. */
    becamePrivate(channelId: string) {
      tell({ kind: 'private', channelId })
    },

    closeHere,
    /** Another node removed a member. Leaving is safe without asking the database. */
    applyLeft({ channelId, userId, rev, removal }: Extract<MembersChange, { kind: 'left' }>) {
      if (!isOutdated(channelId, userId, rev)) {
        note(channelId, userId, rev, false)
        removeHere(channelId, userId)
      }
      if (!removal) return
      removals.applyOne(channelId, removal)
      roomQueues.resume(channelId)
    },
    /**
     * Another node added members. The sockets of those who still are members join.
     * @returns users who were removed during the read and may be members again; undefined if none of them has a socket here
     */
    applyJoined(channelId: string, userIds: string[], rev: number): Promise<string[]> | undefined {
      const here = userIds.filter(
        (userId) => !isOutdated(channelId, userId, rev) && io.of('/').adapter.rooms.has(userRoom(userId)),
      )
      if (here.length === 0) return undefined
      const reading = readMembers(db, channelId, here).then((rows) => new Set(rows.map(({ userId }) => userId)))
      const joined: string[] = []
      const joining = here.map((userId) =>
        departures.during(
          userId,
          () => reading,
          (members, lost) => {
            if (lost.has(channelId)) return [userId]
            note(channelId, userId, rev, members.has(userId))
            if (!members.has(userId)) return []
            io.in(userRoom(userId)).socketsJoin(channelRoom(channelId))
            joined.push(userId)
            return []
          },
        ),
      )
      return Promise.all(joining).then((uncertain) => {
        tellMissed(channelId, joined, rev)
        return uncertain.flat()
      })
    },
  }
}

/** Which of these users are members of the channel, with its current revision. Empty if it was deleted. */
const readMembers = (db: Db, channelId: string, userIds: string[]) =>
  db
    .selectFrom('memberships')
    .innerJoin('channels', 'channels.id', 'memberships.channelId')
    .select(['userId', 'rev', 'seq'])
    .where('channelId', '=', channelId)
    .where('userId', 'in', userIds)
    .where('deletedAt', 'is', null)
    .execute()
