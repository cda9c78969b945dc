import pLimit from 'p-limit'
import * as z from 'zod/mini'
import { clientEvents } from '#contract/events'
import { memberChannel, readableChannel } from '../access/access.ts'
import { postRefusal } from '../access/post-refusal.ts'
import { databaseTime } from '../db/clock.ts'
import { AppError, notFound, secondFactorNeeded } from '../errors.ts'
import { releaseHandshake } from '../http/engine-internals.ts'
import type { BearerTokens } from '../identity/bearer-tokens.ts'
import type { SocketLimits } from '../limits/socket-limits.ts'
import { createReadyLoader } from '../realtime/ready-loader.ts'
import {
  channelRoom,
  everyone,
  guests,
  type ServerSocket,
  sessionRoom,
  userRoom,
  viewersRoom,
} from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { syncRoom } from './sync-rooms.ts'

const TYPING_INTERVAL_MS = 1000
/** 24 days. */
const MAX_TIMER_MS = 2 ** 31 - 1

/** Accepts authenticated sockets and joins them to the rooms of their session, their user, their channels, and everyone or guests. */
export function acceptSockets(services: Services, tokens: BearerTokens, limits: SocketLimits) {
  const { db, pool, doors, people, presence, publish, bounds, log } = services
  const { departures, io, publishHere } = services.realtime
  // When many sockets reconnect at once, calls need database connections too.
  const limitJoining = pLimit(bounds.joiningSockets)
  const workspaces = createReadyLoader(pool)

  io.use((socket, next) => {
    const token: unknown = socket.handshake.auth['token']
    const admitted = tokens
      .verify(typeof token === 'string' ? token : '')
      .then(({ userId, sessionId, expiresAt, isLimited }) => {
        if (isLimited) throw secondFactorNeeded()
        limits.admit(userId)
        socket.data.userId = userId
        socket.data.sessionId = sessionId
        socket.data.expiresAt = expiresAt
      })
    admitted.then(
      () => next(),
      (error: Error) => next(toSocketError(error)),
    )
  })

  io.on('connection', (socket) => {
    const { userId, sessionId } = socket.data
    releaseHandshake(socket)
    // Not earlier: a socket that closes before this point emits no `disconnect`, which clears the timer.
    expire(socket)
    socket.join([sessionRoom(sessionId), userRoom(userId)])
    // The session may have ended since the handshake.
    if (tokens.isRevoked(sessionId)) return socket.disconnect(true)

    presence.addSocket(userId, socket.id)
    socket.on('disconnect', () => presence.removeSocket(userId, socket.id))

    limits.limitEvents(socket, (error) => publishHere(socket.id, 'channel:error', { error }))
    limitJoining(() => (socket.connected ? joinChannels(socket) : undefined)).catch((error) => {
      log.warn({ err: error }, 'a socket could not join its channels')
      socket.disconnect(true)
    })
    // One after the other, so that leaving a channel and joining it again end in this order.
    let lastTask = Promise.resolve()
    let pendingEvents = 0
    const enqueue = (task: () => Promise<void>) => {
      if (++pendingEvents > bounds.pendingEvents) return limits.terminate(socket, 'asked')
      lastTask = lastTask
        .then(() => run(socket, task))
        .finally(() => {
          pendingEvents--
        })
      return undefined
    }
    socket.on('channel:join', (channelId) => enqueue(() => onJoin(socket, channelId)))
    socket.on('channel:leave', (channelId) => enqueue(() => onLeave(socket, channelId)))
    socket.on('typing', (typing) => enqueue(() => publishTyping(socket, typing)))
    socket.on('status:update', (status) => {
      if (status === 'online') presence.addSocket(userId, socket.id)
      if (status === 'offline') presence.removeSocket(userId, socket.id, 'now')
    })
    return undefined
  })

  /** The socket is in its user's room already, which receives the channels that the user joins meanwhile. */
  async function joinChannels(socket: ServerSocket) {
    const { userId } = socket.data
    const join = ({ role, channelIds }: { role: string; channelIds: string[] }, lost: ReadonlySet<string>) => {
      const joined = channelIds.filter((id) => !lost.has(id))
      void socket.join([role === 'guest' ? guests : everyone, ...joined.map(channelRoom)])
      return { joined, uncertain: channelIds.filter((id) => lost.has(id)) }
    }
    const { joined, uncertain } = await departures.during(userId, () => workspaces.load(userId), join)
    // Memberships may have ended on another node between the query and the join.
    const { channelIds, leftMs, ...workspace } = await workspaces.load(userId)
    const current = new Set(channelIds)
    const ended = joined.filter((id) => !current.has(id))
    await Promise.all([...uncertain, ...ended].map((id) => leaveAndSync(socket, id)))
    if (leftMs) endWith(socket, leftMs)
    socket.data.isReady = true
    publishHere(socket.id, 'ready', workspace)
  }

  /** Adds the socket to the channel's viewers, and a non-member's socket to the channel itself if it is public. */
  async function onJoin(socket: ServerSocket, payload: unknown) {
    const channelId = clientEvents['channel:join'].parse(payload)
    const { userId } = socket.data
    limits.checkViewLimit(socket, channelId)
    const read = () => readableChannel(doors, userId, channelId)
    const join = (_: unknown, lost: ReadonlySet<string>) => {
      // The channel became private meanwhile, or the user was removed: the result may be outdated, so it is read again.
      if (lost.has(channelId)) return false
      void socket.join([channelRoom(channelId), viewersRoom(channelId)])
      return true
    }
    while (!(await departures.during(userId, read, join)));
    // Read after the join, so that the socket receives every later event. The user may have been removed on another node.
    const channel = await readableChannel(doors, userId, channelId).catch(async (error) => {
      await leaveAndSync(socket, channelId)
      throw error
    })
    publishHere(socket.id, 'channel:joined', { channelId, rev: channel.rev })
  }

  async function onLeave(socket: ServerSocket, payload: unknown) {
    const channelId = clientEvents['channel:leave'].parse(payload)
    const { userId } = socket.data
    // Until this is known the socket stays a viewer, so that closing the channel removes it too.
    const { isMember } = await readableChannel(doors, userId, channelId).catch((error) => {
      void socket.leave(viewersRoom(channelId))
      void socket.leave(channelRoom(channelId))
      throw error
    })
    void socket.leave(viewersRoom(channelId))
    if (!isMember) {
      void socket.leave(channelRoom(channelId))
      // The user may have joined the channel meanwhile.
      if ((await readableChannel(doors, userId, channelId)).isMember) await syncRoom(services, channelId, [userId])
    }
    publishHere(socket.id, 'channel:left', { channelId })
  }

  /** Leaves a channel, and joins it again if the user turns out to be a member. */
  async function leaveAndSync(socket: ServerSocket, channelId: string) {
    void socket.leave(channelRoom(channelId))
    void socket.leave(viewersRoom(channelId))
    await syncRoom(services, channelId, [socket.data.userId])
  }

  /** Publishes to the channel's viewers, except the user's own tabs. */
  async function publishTyping(socket: ServerSocket, payload: unknown) {
    const { channelId, threadId = null } = clientEvents.typing.parse(payload)
    const { userId } = socket.data
    if (!isDue(socket, channelId)) return
    await memberChannel(doors, userId, channelId)
    // They seem not to be there.
    if (presence.isInvisible(userId)) return
    // Who is muted, blocked or may not write there is writing nothing.
    if ((await postRefusal(db, userId, channelId, threadId ? 'reply' : 'post')) !== null) return
    const userOf = await people.namesOf([userId])
    publish(viewersRoom(channelId), 'typing', { channelId, threadId, user: userOf(userId) }, userRoom(userId))
  }

  function isDue({ data }: ServerSocket, channelId: string) {
    const now = performance.now()
    if (data.typed?.channelId === channelId && now - data.typed.at < TYPING_INTERVAL_MS) return false
    data.typed = { channelId, at: now }
    return true
  }

  async function run(socket: ServerSocket, task: () => Promise<void>) {
    try {
      await tokens.requireLive(socket.data.sessionId)
      await task()
    } catch (error) {
      if (error instanceof AppError && error.status < 500)
        return publishHere(socket.id, 'channel:error', { error: error.message })
      if (error instanceof z.core.$ZodError)
        return publishHere(socket.id, 'channel:error', { error: notFound('errors.channelNotFound').message })
      // The database does not respond; the browser reconnects and fetches what it missed.
      log.warn({ err: error }, 'an event of a socket failed')
      socket.disconnect(true)
    }
  }

  /** A guest hears nothing after their time, however late they are signed out. With more time they come back by themselves. */
  function endWith(socket: ServerSocket, leftMs: number) {
    // A token, and so its socket, ends long before a timer's maximum.
    if (leftMs > MAX_TIMER_MS || !socket.connected) return
    const timer = setTimeout(() => socket.conn.close(), Math.floor(leftMs))
    socket.on('disconnect', () => clearTimeout(timer))
  }

  function expire(socket: ServerSocket) {
    const timer = setTimeout(
      () => {
        socket.emit('auth:token_expired', {})
        socket.disconnect(true)
      },
      socket.data.expiresAt * 1000 - databaseTime(),
    )
    socket.on('disconnect', () => clearTimeout(timer))
  }
}

/** `unauthenticated` asks the browser for a new token, `unavailable` only for another attempt. */
function toSocketError(error: Error) {
  return new Error(error instanceof AppError ? error.code : 'unavailable')
}
