import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http'
import { clientEvents } from '#contract/events'
import type { Config } from '../config/config.ts'
import { type AppError, rateLimited } from '../errors.ts'
import { bytesWaiting, webSocketOf } from '../http/engine-internals.ts'
import type { FrontDoor } from '../http/front-door.ts'
import type { Measures } from '../monitoring/metrics.ts'
import type { Logger } from '../process/logger.ts'
import { type Realtime, type RealtimeSocket, userRoom, viewersRoom } from '../realtime.ts'
import type { Bounds } from './bounds.ts'
import { openPlaces } from './places.ts'
import type { Limiter } from './rate-limiter.ts'

interface Options {
  config: Config
  meet: FrontDoor
  bounds: Bounds
  limiter: Limiter
  log: Logger
  measures: Measures
}

export interface SocketLimits {
  /** @throws AppError 429 for a person who opens sockets too fast, or has too many */
  admit(userId: string): void
  /** Looks at all that a socket says before anything is done with it. */
  watch(socket: RealtimeSocket, refuse: (message: string) => void): void
  /** @throws AppError 429 for a socket that looks at too many channels */
  checkViewLimit(socket: RealtimeSocket, channelId: string): void
  /** Ends a socket at once, whatever waits for it. */
  cut(socket: RealtimeSocket, why: string): void
  /** Bytes that waited for sockets at the last look, and of the one with the most. */
  waiting(): { all: number; most: number }
  stop(): void
}

/** The connection below a socket, as far as it is looked at here. */
type Connection = RealtimeSocket['conn']
/** What the engine has read of a request's address, and goes by. */
type EngineRequest = IncomingMessage & { _query: Record<string, unknown> }

/** What sockets may do. Socket.IO has no bound of its own for one that says too much, or reads too little. */
export function limitSockets(io: Realtime, { config, meet, bounds, limiter, log, measures }: Options): SocketLimits {
  const frames = new Map<Connection, number>()
  const strangers = openPlaces()
  const waitingFor = new Map<Connection, () => void>()
  let waiting = { all: 0, most: 0 }

  // Every request of the engine: handshakes, polls and upgrades.
  io.engine.use((request: IncomingMessage, response: unknown, next: () => void) => {
    try {
      const { rateLimitKey } = meet(request)
      limiter.consume('address', rateLimitKey)
      const isNew = !(request as EngineRequest)._query['sid']
      if (config.rateLimit && isNew && strangers.count(rateLimitKey) >= bounds.strangers) throw rateLimited(1)
      next()
    } catch (error) {
      turnAway(request, response, error as AppError)
    }
  })

  io.engine.on('connection', (connection: Connection) => {
    frames.set(connection, 0)
    admitStranger(connection)
    connection.on('packet', () => {
      const count = (frames.get(connection) ?? 0) + 1
      frames.set(connection, count)
      if (count > bounds.frames) cut(connection, 'frames')
    })
    connection.on('close', () => {
      frames.delete(connection)
      const farewell = setTimeout(() => webSocketOf(connection)?.terminate(), bounds.farewell)
      farewell.unref()
    })
  })

  // A message is small and a fast network takes it at once: whoever has much waiting at a look does not read.
  const timer = setInterval(() => {
    let [all, most] = [0, 0]
    for (const connection of frames.keys()) {
      frames.set(connection, 0)
      const bytes = bytesWaiting(connection)
      all += bytes
      most = Math.max(most, bytes)
      if (bytes > bounds.unread) cut(connection, 'unread')
    }
    waiting = { all, most }
  }, bounds.look)

  /** Until it is known for whom a connection listens, it holds a place of its address. */
  function admitStranger(connection: Connection) {
    const { rateLimitKey } = meet(connection.request)
    strangers.enter(rateLimitKey)
    const known = () => {
      if (!waitingFor.delete(connection)) return
      strangers.leave(rateLimitKey)
    }
    waitingFor.set(connection, known)
    connection.once('close', known)
  }
  io.on('connection', ({ conn }) => waitingFor.get(conn)?.())

  function cut(connection: Connection, why: string) {
    if (!frames.delete(connection)) return
    log.warn({ why }, 'a socket was cut')
    measures.cut.inc({ why })
    // A farewell would wait behind what is not read.
    webSocketOf(connection)?.terminate()
    connection.close(true)
  }

  function drop(socket: RealtimeSocket, why: string) {
    measures.dropped.inc({ why })
    socket.data.dropped = (socket.data.dropped ?? 0) + 1
    if (socket.data.dropped > bounds.dropped) cut(socket.conn, 'dropped')
  }

  return {
    admit(userId) {
      limiter.consume('handshakes', userId)
      const open = io.of('/').adapter.rooms.get(userRoom(userId))?.size ?? 0
      if (config.rateLimit && open >= bounds.sockets) throw rateLimited(30, 'Too many open tabs')
    },
    watch(socket, refuse) {
      socket.use(([event], next) => {
        if (!Object.hasOwn(clientEvents, event)) return drop(socket, 'unknown')
        try {
          limiter.consume('events', socket.data.userId)
        } catch (error) {
          // Once for a row of them: to tell of each would be as much again.
          if (!socket.data.dropped) refuse((error as AppError).message)
          return drop(socket, 'rate')
        }
        return next()
      })
    },
    checkViewLimit({ rooms }, channelId) {
      if (rooms.has(viewersRoom(channelId))) return
      let looking = 0
      for (const room of rooms) if (room.startsWith(viewersRoom(''))) looking++
      if (looking >= bounds.looking) throw rateLimited(1, 'Too many open channels')
    },
    cut: ({ conn }, why) => cut(conn, why),
    waiting: () => waiting,
    stop: () => clearInterval(timer),
  }
}

/** An upgrade has no response of Node's own: what the engine hands over in its place cannot say anything. */
function turnAway({ socket }: IncomingMessage, response: unknown, { status, retryAfter }: AppError) {
  const headers = { ...(retryAfter && { 'Retry-After': String(retryAfter) }), 'Content-Length': '0' }
  if (response instanceof ServerResponse) return response.writeHead(status, headers).end()
  // Who has hung up already is no reason to end the process.
  socket.on('error', () => {})
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '\r\n'].join('\r\n'))
  return socket.destroySoon()
}
