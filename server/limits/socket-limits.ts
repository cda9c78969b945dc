import { type IncomingMessage, ServerResponse, STATUS_CODES } from 'node:http'
import { clientEvents } from '#contract/events'
import type { Config } from '../config/config.ts'
import { type AppError, rateLimited } from '../errors.ts'
import type { ReadCaller } from '../http/caller.ts'
import { bytesWaiting, webSocketOf } from '../http/engine-internals.ts'
import type { Metrics } from '../monitoring/metrics.ts'
import type { Logger } from '../process/logger.ts'
import { type ServerSocket, type SocketServer, userRoom, viewersRoom } from '../realtime/rooms.ts'
import type { Bounds } from './bounds.ts'
import { createKeyCounter } from './key-counter.ts'
import type { Limiter } from './rate-limiter.ts'

interface Options {
  config: Config
  readCaller: ReadCaller
  bounds: Bounds
  limiter: Limiter
  log: Logger
  metrics: Metrics
}

export interface SocketLimits {
  /** @throws AppError 429 if the user opens sockets too fast, or has too many */
  admit(userId: string): void
  /** Drops unknown events, and those beyond the user's rate. @param onRefused called for a socket's first one beyond the rate */
  limitEvents(socket: ServerSocket, onRefused: (message: string) => void): void
  /** @throws AppError 429 if the socket has too many channels open */
  checkViewLimit(socket: ServerSocket, channelId: string): void
  /** Closes a socket immediately and discards its unsent bytes. @param why label of the metric */
  terminate(socket: ServerSocket, why: string): void
  /** Unsent bytes of sockets at the last check: in total, and of the socket with the most. */
  waiting(): { all: number; most: number }
  stop(): void
}

type Connection = ServerSocket['conn']
/** With the query string as the engine parsed it. */
type EngineRequest = IncomingMessage & { _query: Record<string, unknown> }

/** Limits what sockets send, and what is buffered for those that don't read. Socket.IO has no limits of its own. */
export function limitSockets(
  io: SocketServer,
  { config, readCaller, bounds, limiter, log, metrics }: Options,
): SocketLimits {
  /** Frames since the last check. */
  const frames = new Map<Connection, { count: number }>()
  const unauthenticated = createKeyCounter()
  const onAuthenticated = new Map<Connection, () => void>()
  let waiting = { all: 0, most: 0 }

  // Handshakes, polls and upgrades.
  io.engine.use((request: IncomingMessage, response: unknown, next: () => void) => {
    try {
      const { rateLimitKey } = readCaller(request)
      limiter.consume('address', rateLimitKey)
      const isNew = !(request as EngineRequest)._query['sid']
      if (config.rateLimit && isNew && unauthenticated.count(rateLimitKey) >= bounds.unauthenticatedSockets)
        throw rateLimited(1)
      next()
    } catch (error) {
      refuseRequest(request, response, error as AppError)
    }
  })

  io.engine.on('connection', (connection: Connection) => {
    const received = { count: 0 }
    frames.set(connection, received)
    countUnauthenticated(connection)
    connection.on('packet', ({ data }: { data?: unknown }) => {
      received.count++
      if (received.count > bounds.framesPerCheck) terminate(connection, 'frames')
      if (isBinary(data)) terminate(connection, 'binary')
    })
    connection.on('close', () => {
      frames.delete(connection)
      const timeout = setTimeout(() => webSocketOf(connection)?.terminate(), bounds.closeTimeoutMs)
      timeout.unref()
    })
  })

  // Messages are small and sent immediately: if many bytes are unsent at a check, the client isn't reading.
  const timer = setInterval(() => {
    let [all, most] = [0, 0]
    for (const [connection, received] of frames) {
      received.count = 0
      const bytes = bytesWaiting(connection)
      all += bytes
      most = Math.max(most, bytes)
      if (bytes > bounds.unsentSocketBytes) terminate(connection, 'unread')
    }
    waiting = { all, most }
  }, bounds.checkIntervalMs)

  /** Counts a connection towards its address until it authenticates or closes. */
  function countUnauthenticated(connection: Connection) {
    const { rateLimitKey } = readCaller(connection.request)
    unauthenticated.enter(rateLimitKey)
    const uncount = () => {
      if (!onAuthenticated.delete(connection)) return
      unauthenticated.leave(rateLimitKey)
    }
    onAuthenticated.set(connection, uncount)
    connection.once('close', uncount)
  }
  io.on('connection', ({ conn }) => onAuthenticated.get(conn)?.())

  function terminate(connection: Connection, why: string) {
    if (!frames.delete(connection)) return
    log.warn({ why }, 'a socket was closed because it exceeded a limit')
    metrics.socketsTerminated.inc({ why })
    // A closing handshake would queue behind the unread bytes.
    webSocketOf(connection)?.terminate()
    connection.close(true)
  }

  function drop(socket: ServerSocket, why: string) {
    metrics.eventsDropped.inc({ why })
    socket.data.dropped = (socket.data.dropped ?? 0) + 1
    if (socket.data.dropped > bounds.droppedEvents) terminate(socket.conn, 'dropped')
  }

  return {
    admit(userId) {
      limiter.consume('handshakes', userId)
      const open = io.of('/').adapter.rooms.get(userRoom(userId))?.size ?? 0
      if (config.rateLimit && open >= bounds.socketsPerUser) throw rateLimited(30, 'errors.tooManyTabs')
    },
    limitEvents(socket, onRefused) {
      socket.use(([event], next) => {
        if (!Object.hasOwn(clientEvents, event)) return drop(socket, 'unknown')
        try {
          limiter.consume('events', socket.data.userId)
        } catch (error) {
          // Answering each dropped event would double the traffic.
          if (!socket.data.dropped) onRefused((error as AppError).message)
          return drop(socket, 'rate')
        }
        return next()
      })
    },
    checkViewLimit({ rooms }, channelId) {
      if (rooms.has(viewersRoom(channelId))) return
      let viewed = 0
      for (const room of rooms) if (room.startsWith(viewersRoom(''))) viewed++
      if (viewed >= bounds.viewedChannels) throw rateLimited(1, 'errors.tooManyOpenChannels')
    },
    terminate: ({ conn }, why) => terminate(conn, why),
    waiting: () => waiting,
    stop: () => clearInterval(timer),
  }
}

/** Our clients send none. Socket.IO would buffer its parts until the last arrives, even before authentication. */
const isBinary = (data: unknown) => data !== undefined && (typeof data !== 'string' || /^[56]/.test(data))

/** For an upgrade the engine passes no `ServerResponse`, so the refusal is written to the TCP socket. */
function refuseRequest({ socket }: IncomingMessage, response: unknown, { status, retryAfter }: AppError) {
  const headers = { ...(retryAfter && { 'Retry-After': String(retryAfter) }), 'Content-Length': '0' }
  if (response instanceof ServerResponse) return response.writeHead(status, headers).end()
  // Without a listener, an already closed connection would crash the process.
  socket.on('error', () => {})
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(([name, value]) => `${name}: ${value}`)
  socket.write([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '\r\n'].join('\r\n'))
  return socket.destroySoon()
}
