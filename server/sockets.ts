import type { FastifyBaseLogger } from 'fastify'
import * as z from 'zod/mini'
import { clientEvents } from '#contract/events'
import { type Doors, readableChannel } from './access.ts'
import type { Db } from './db/database.ts'
import { AppError } from './errors.ts'
import {
  channelRoom,
  everyone,
  type Publish,
  type Realtime,
  type RealtimeSocket,
  sessionRoom,
  userRoom,
} from './realtime.ts'
import type { Sessions } from './sessions.ts'
import { readEpoch } from './workspace.ts'

interface Options {
  db: Db
  doors: Doors
  publish: Publish
  sessions: Sessions
  log: FastifyBaseLogger
}

/** Lets signed-in browsers listen: each hears its own person, the channels they are in, and what everyone may hear. */
export function acceptSockets(io: Realtime, { db, doors, publish, sessions, log }: Options) {
  io.use((socket, next) => {
    const token: unknown = socket.handshake.auth['token']
    sessions.verify(typeof token === 'string' ? token : '').then(
      ({ userId, sessionId, expiresAt }) => {
        socket.data.userId = userId
        socket.data.sessionId = sessionId
        expire(socket, expiresAt)
        next()
      },
      (error: Error) => next(refusal(error)),
    )
  })

  io.on('connection', (socket) => {
    const { userId, sessionId } = socket.data
    socket.join([sessionRoom(sessionId), userRoom(userId), everyone])
    // The session may have ended between the handshake and the line above.
    if (sessions.isRevoked(sessionId)) return socket.disconnect(true)

    enterChannels(socket).catch((error) => {
      log.warn({ err: error }, 'a socket could not enter its channels')
      socket.disconnect(true)
    })
    // One after the other: who comes back to a channel at once must not be taken out of it afterwards.
    let turn = Promise.resolve()
    const inTurn = (act: () => Promise<void>) => {
      turn = turn.then(() => answer(socket, act))
    }
    socket.on('channel:join', (channelId) => inTurn(() => look(socket, channelId)))
    socket.on('channel:leave', (channelId) => inTurn(() => lookAway(socket, channelId)))
    socket.on('status:update', (status) => status === 'offline' && fallSilent(socket))
    return undefined
  })

  /** The own room first, then the memberships: a channel entered meanwhile is announced to the own room. */
  async function enterChannels(socket: RealtimeSocket) {
    const { userId } = socket.data
    const rows = await db.selectFrom('memberships').select('channelId').where('userId', '=', userId).execute()
    await socket.join(rows.map(({ channelId }) => channelRoom(channelId)))
    publish(socket.id, 'ready', { epoch: await readEpoch(db) })
  }

  /** Looking at a public channel lets a non-member hear it for as long as they look. */
  async function look(socket: RealtimeSocket, given: unknown) {
    const channelId = clientEvents['channel:join'].parse(given)
    const { userId } = socket.data
    await readableChannel(doors, userId, channelId)
    await socket.join(channelRoom(channelId))
    // Read after the joining: what comes later is heard.
    const { rev } = await readableChannel(doors, userId, channelId)
    publish(socket.id, 'channel:joined', { channelId, rev })
  }

  async function lookAway(socket: RealtimeSocket, given: unknown) {
    const channelId = clientEvents['channel:leave'].parse(given)
    const { userId } = socket.data
    if (!(await readableChannel(doors, userId, channelId)).isMember) {
      await socket.leave(channelRoom(channelId))
      // They may have joined between the question and the leaving.
      if ((await readableChannel(doors, userId, channelId)).isMember) await socket.join(channelRoom(channelId))
    }
    publish(socket.id, 'channel:left', { channelId })
  }

  /** Whoever signs out hears nothing more, even before the end of their session is noticed. */
  function fallSilent(socket: RealtimeSocket) {
    const { sessionId } = socket.data
    for (const room of socket.rooms) if (room !== socket.id && room !== sessionRoom(sessionId)) void socket.leave(room)
  }

  async function answer(socket: RealtimeSocket, act: () => Promise<void>) {
    try {
      await act()
    } catch (error) {
      if (error instanceof AppError && error.status < 500)
        return publish(socket.id, 'channel:error', { error: error.message })
      if (error instanceof z.core.$ZodError) return publish(socket.id, 'channel:error', { error: 'Channel not found' })
      // The database is away: coming back, the browser asks for everything again.
      log.warn({ err: error }, 'a socket asked for something that failed')
      socket.disconnect(true)
    }
  }

  function expire(socket: RealtimeSocket, expiresAt: number) {
    const timer = setTimeout(
      () => {
        publish(socket.id, 'auth:token_expired', {})
        socket.disconnect(true)
      },
      expiresAt * 1000 - Date.now(),
    )
    socket.on('disconnect', () => clearTimeout(timer))
  }
}

/** Tells the browser whether a new token helps (`unauthenticated`) or only another try (`unavailable`). */
function refusal(error: Error) {
  return new Error(error instanceof AppError ? error.code : 'unavailable')
}
