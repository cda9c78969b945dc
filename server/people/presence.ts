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
import { statusColumns } from './status-columns.ts'

export interface Presence {
  /** A user is online as long as they have at least one socket, on any node. */
  addSocket(userId: string, socketId: string): void
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
  online(): string[]
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

/** Nobody goes offline by reloading the page or losing the connection for less than this. */
const OFFLINE_GRACE_MS = 5000
const BATCH_INTERVAL_MS = 250
/** Limit for changes in a batch times connected sockets: spreads a storm of changes over several batches. */
const MAX_BATCH_DELIVERIES = 12_500

/**
 * Tracks in memory who is online: after a restart everyone is offline until they reconnect, or their nodes report them online.
 * Each node publishes changes to its own sockets, in batches, for everyone who shares a channel with the user. A change that is
 * undone before its batch is not published.
 */
export function trackPresence({ db, io, bus, publishHere, log, ...options }: Options): Presence {
  const start = newId()
  const sockets = new Map<string, Set<string>>()
  const graceTimers = new Map<string, NodeJS.Timeout>()
  const publishedOnline = new Set<string>()
  /** Their sockets leave no trace in lists, events, versions, or on other nodes. */
  const invisible = new Set(options.invisible)
  /** Users with unpublished changes. */
  const pending = new Map<string, { emoji: boolean }>()
  let changes = 0
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const isConnectedHere = (userId: string) => sockets.has(userId) || graceTimers.has(userId)
  const isOnlineHere = (userId: string) => isConnectedHere(userId) && !invisible.has(userId)
  const others = sharePresence({ bus, isOnlineHere, onChange: statusChanged })
  const isOnline = (userId: string) => !invisible.has(userId) && (isConnectedHere(userId) || others.isOnline(userId))

  function addSocket(userId: string, socketId: string) {
    clearTimeout(graceTimers.get(userId))
    graceTimers.delete(userId)
    const own = sockets.get(userId)
    if (own) own.add(socketId)
    else sockets.set(userId, new Set([socketId]))
    changedHere(userId)
  }

  function removeSocket(userId: string, socketId: string, now?: 'now') {
    const own = sockets.get(userId)
    if (!own?.delete(socketId) || own.size > 0) return
    sockets.delete(userId)
    if (now) return changedHere(userId)
    const onGraceOver = () => {
      graceTimers.delete(userId)
      changedHere(userId)
    }
    graceTimers.set(userId, setTimeout(onGraceOver, OFFLINE_GRACE_MS))
  }

  function changedHere(userId: string) {
    others.changedHere(userId)
    statusChanged(userId)
  }

  function setInvisible(userId: string, isInvisible: boolean) {
    if (invisible.has(userId) === isInvisible) return
    const wasOnline = isOnline(userId)
    if (isInvisible) invisible.add(userId)
    else invisible.delete(userId)
    others.changedHere(userId)
    // Nothing to publish if they are offline anyway.
    if (wasOnline !== isOnline(userId)) applyStatus(userId)
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
    if (emoji || isOnline(userId) !== publishedOnline.has(userId)) enqueue(userId, emoji)
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
    const batch = new Map([...pending].slice(0, maxUsers))
    for (const userId of batch.keys()) pending.delete(userId)
    try {
      for (const { id, channelIds, user_status, ...more } of await readAudiences([...batch.keys()])) {
        const status = statusOf(id)
        // Skip users who returned to the published status during the query.
        if (!batch.get(id)?.emoji && isOnline(id) === publishedOnline.has(id)) continue
        if (status === 'online') publishedOnline.add(id)
        else publishedOnline.delete(id)
        const audience = [userRoom(id), ...channelIds.map(channelRoom)]
        publishHere(audience, 'user:status_changed', {
          userId: id,
          status,
          user_status,
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
  const statusOf = (userId: string) => (userId === ASSISTANT || isOnline(userId) ? 'online' : 'offline')

  return {
    addSocket,
    removeSocket,
    emojiChanged,
    setInvisible,
    isInvisible: (userId) => invisible.has(userId),
    replaceInvisible,
    statusOf,
    online: () =>
      [...new Set([...sockets.keys(), ...graceTimers.keys(), ...others.online()])].filter((it) => !invisible.has(it)),
    version: () => `${start.slice(-8)}.${changes}`,
    receive: others.receive,
    peerJoined: others.peerJoined,
    peerLeft: others.peerLeft,
    missed: others.missed,
    stop: () => {
      isStopped = true
      others.stop()
      clearTimeout(timer)
      for (const graceTimer of graceTimers.values()) clearTimeout(graceTimer)
    },
  }
}
