import { sql } from 'kysely'
import { ASSISTANT } from '#contract/ids'
import type { Bus, BusNotice } from '../bus/bus.ts'
import type { Db } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import type { Logger } from '../process/logger.ts'
import type { Publish } from '../realtime/publisher.ts'
import { channelRoom, type SocketServer, userRoom } from '../realtime/rooms.ts'
import { guestChannelsOf } from './guest-channels.ts'
import { sharePresence } from './shared-presence.ts'
import { combine, type PresenceState, trackSockets } from './socket-presence.ts'
import { statusColumns } from './status-columns.ts'

export interface Presence {
  /** A user is online as long as they have at least one socket, on any node, and idle if all of these are. */
  addSocket(userId: string, socketId: string, isIdle?: boolean): void
  /** Sockets that never report are active. No-op for a socket that was removed. */
  setIdle(userId: string, socketId: string, isIdle: boolean): void
  /** `now` skips the grace period: the user signed out or left. */
  removeSocket(userId: string, socketId: string, now?: 'now'): void
  /** Publishes a user's changed status to the sockets of this node. */
  emojiChanged(userId: string): void
  /** Makes a user appear offline to everybody, or not. */
  setInvisible(userId: string, isInvisible: boolean): void
  isInvisible(userId: string): boolean
  /** Replaces the set of invisible users, for when changes may have been missed. */
  replaceInvisible(userIds: readonly string[]): void
  statusOf(userId: string): 'online' | 'offline'
  /** Whether a user is online and idle. */
  isIdle(userId: string): boolean
  /** Whether a user is online and not idle. */
  isActive(userId: string): boolean
  online(): string[]
  /** Users who are online and not idle. */
  active(): string[]
  /** Changes whenever somebody's status may have changed. Differs between nodes and restarts. */
  version(): string
  /** Applies another node's notices of the kinds that begin with `presence`. */
  receive(notice: BusNotice, from: string): void
  peerJoined(): void
  peerLeft(peer: string): void
  /** Call when notices of other nodes may have been lost. */
  missed(): void
  stop(): void
}

interface Options {
  db: Db
  io: SocketServer
  bus: Pick<Bus, 'send' | 'peers'>
  publishHere: Publish
  log: Logger
  invisible: readonly string[]
}

const BATCH_INTERVAL_MS = 250
/** Limit for changes in a batch times connected sockets: spreads a storm of changes over several batches. */
const MAX_BATCH_DELIVERIES = 12_500

/**
 * Tracks in memory who is online or idle: after a restart everyone is offline until they reconnect, or their nodes report them online.
 * Each node publishes changes to its own sockets, in batches, for everyone who shares a channel with the user. A change that is
 * undone before its batch is not published.
 */
export function trackPresence({ db, io, bus, publishHere, log, ...options }: Options): Presence {
  const start = newId()
  /** Published states other than offline. */
  const published = new Map<string, PresenceState>()
  /** Their sockets leave no trace in lists, events, versions, or on other nodes. */
  const invisible = new Set(options.invisible)
  /** Users with unpublished changes. */
  const pending = new Map<string, { emoji: boolean }>()
  let changes = 0
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const sockets = trackSockets(changedHere)
  const unlessInvisible = (userId: string, state: PresenceState) => (invisible.has(userId) ? 'offline' : state)
  const stateHere = (userId: string) => unlessInvisible(userId, sockets.stateOf(userId))
  const others = sharePresence({ bus, stateHere, onChange: statusChanged })
  const stateOf = (userId: string) => unlessInvisible(userId, combine(sockets.stateOf(userId), others.stateOf(userId)))
  const isPublished = (userId: string) => stateOf(userId) === (published.get(userId) ?? 'offline')

  function changedHere(userId: string) {
    others.changedHere(userId)
    statusChanged(userId)
  }

  function setInvisible(userId: string, isInvisible: boolean) {
    if (invisible.has(userId) === isInvisible) return
    const before = stateOf(userId)
    if (isInvisible) invisible.add(userId)
    else invisible.delete(userId)
    others.changedHere(userId)
    // Nothing to publish if they are offline anyway.
    if (before !== stateOf(userId)) applyStatus(userId)
  }

  function replaceInvisible(userIds: readonly string[]) {
    const next = new Set(userIds)
    for (const userId of invisible) if (!next.has(userId)) setInvisible(userId, false)
    for (const userId of next) setInvisible(userId, true)
  }

  function statusChanged(userId: string) {
    if (!invisible.has(userId)) applyStatus(userId)
  }

  function applyStatus(userId: string) {
    changes++
    const { emoji = false } = pending.get(userId) ?? {}
    if (emoji || !isPublished(userId)) enqueue(userId, emoji)
    else pending.delete(userId)
  }

  const emojiChanged = (userId: string) => enqueue(userId, true)

  function enqueue(userId: string, emoji: boolean) {
    pending.set(userId, { emoji })
    if (!isStopped) timer ??= setTimeout(publishBatch, BATCH_INTERVAL_MS)
  }

  async function publishBatch() {
    if (pending.size === 0) {
      timer = undefined
      return
    }
    const maxUsers = Math.max(1, Math.floor(MAX_BATCH_DELIVERIES / Math.max(1, io.engine.clientsCount)))
    // After lunch more people become idle than a batch has, and nobody waits to learn that.
    const isIdle = (userId: string) => stateOf(userId) === 'idle'
    const byUrgency = [...pending].toSorted(([a], [b]) => Number(isIdle(a)) - Number(isIdle(b)))
    const batch = new Map(byUrgency.slice(0, maxUsers))
    for (const userId of batch.keys()) pending.delete(userId)
    try {
      for (const { id, channelIds, user_status, ...more } of await readAudiences([...batch.keys()])) {
        const state = stateOf(id)
        // Skip users who returned to the published state during the query.
        if (!batch.get(id)?.emoji && isPublished(id)) continue
        if (state === 'offline') published.delete(id)
        else published.set(id, state)
        const audience = [userRoom(id), ...channelIds.map(channelRoom)]
        publishHere(audience, 'user:status_changed', {
          userId: id,
          status: statusOf(id),
          user_status,
          ...(state === 'idle' && { isIdle: true }),
          ...(batch.get(id)?.emoji && more),
        })
      }
    } catch (error) {
      log.warn({ err: error }, 'could not publish changes of presence; retrying')
      for (const [userId, change] of batch) if (!pending.has(userId)) pending.set(userId, change)
    }
    timer = pending.size > 0 && !isStopped ? setTimeout(publishBatch, BATCH_INTERVAL_MS) : undefined
  }

  /** The users' statuses and channels. For members of #general, that and channels with guests: everyone else is in #general. */
  const readAudiences = (userIds: string[]) =>
    db
      .selectFrom('users')
      .where('id', 'in', userIds)
      .select('id')
      .select(statusColumns)
      .select(
        sql<string[]>`coalesce(
          (select "generalId" || ${guestChannelsOf('users.id')}::uuid[] from workspace w
            where exists (select from memberships m where m."channelId" = w."generalId" and m."userId" = users.id)),
          array(select m."channelId" from memberships m where m."userId" = users.id)
        )::text[]`.as('channelIds'),
      )
      .execute()

  /** The assistant is always online. */
  const statusOf = (userId: string) => (userId === ASSISTANT || stateOf(userId) !== 'offline' ? 'online' : 'offline')

  const online = () =>
    [...new Set([...sockets.userIds(), ...others.online()])].filter((userId) => !invisible.has(userId))

  return {
    addSocket: (userId, socketId, isIdle = false) => sockets.add(userId, socketId, isIdle),
    setIdle: sockets.setIdle,
    removeSocket: sockets.remove,
    emojiChanged,
    setInvisible,
    isInvisible: (userId) => invisible.has(userId),
    replaceInvisible,
    statusOf,
    isIdle: (userId) => stateOf(userId) === 'idle',
    isActive: (userId) => stateOf(userId) === 'online',
    online,
    active: () => online().filter((userId) => stateOf(userId) === 'online'),
    version: () => `${start.slice(-8)}.${changes}`,
    receive: others.receive,
    peerJoined: others.peerJoined,
    peerLeft: others.peerLeft,
    missed: others.missed,
    stop: () => {
      isStopped = true
      others.stop()
      sockets.stop()
      clearTimeout(timer)
    },
  }
}
