import pLimit from 'p-limit'
import * as z from 'zod/mini'
import { databaseTime } from '../db/clock.ts'
import { AppError, notFound, secondFactorNeeded } from '../errors.ts'
import { releaseHandshake } from '../http/engine-internals.ts'
import type { BearerTokens } from '../identity/bearer-tokens.ts'
import type { SocketLimits } from '../limits/socket-limits.ts'
import { createReadyLoader } from '../realtime/ready-loader.ts'
import { type ServerSocket, sessionRoom, userRoom } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { endViewing, joinRooms, publishTyping, viewChannel } from './socket-events.ts'

/** Accepts authenticated sockets and joins them to the rooms of their session, user and channels, and to everyone or guests. */
export function acceptSockets(services: Services, tokens: BearerTokens, limits: SocketLimits) {
  const { pool, presence, bounds, log } = services
  const { io, publishHere } = services.realtime
  // Leaves database connections for API calls when many sockets reconnect at once.
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

    // In the handshake, so that an idle person who reconnects stays idle.
    socket.data.isIdle = socket.handshake.auth['isIdle'] === true
    presence.addSocket(userId, socket.id, socket.data.isIdle)
    socket.on('disconnect', () => presence.removeSocket(userId, socket.id))

    limits.limitEvents(socket, (error) => publishHere(socket.id, 'channel:error', { error }))
    limitJoining(() => (socket.connected ? joinRooms(services, workspaces, socket) : undefined)).catch((error) => {
      log.warn({ err: error }, 'a socket could not join its channels')
      socket.disconnect(true)
    })
    // One after the other, so that leaving a channel and joining it again take effect in order.
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
    socket.on('channel:join', (channelId) => enqueue(() => viewChannel(services, limits, socket, channelId)))
    socket.on('channel:leave', (channelId) => enqueue(() => endViewing(services, socket, channelId)))
    socket.on('typing', (typing) => enqueue(() => publishTyping(services, socket, typing)))
    socket.on('status:update', (status) => {
      if (status === 'online' || status === 'idle') socket.data.isIdle = status === 'idle'
      if (status === 'online') presence.addSocket(userId, socket.id)
      if (status === 'idle') presence.setIdle(userId, socket.id, true)
      if (status === 'offline') presence.removeSocket(userId, socket.id, 'now')
    })
    return undefined
  })

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
      log.warn({ err: error }, 'could not handle a socket event')
      socket.disconnect(true)
    }
  }
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

/** `unauthenticated` asks the browser for a new token, `unavailable` only for another attempt. */
function toSocketError(error: Error) {
  return new Error(error instanceof AppError ? error.code : 'unavailable')
}
