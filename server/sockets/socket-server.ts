import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Server } from 'socket.io'
import { isSameOrigin, type ReadCaller } from '../http/caller.ts'
import { coalesceSocketWrites } from '../http/engine-internals.ts'
import type { NoteRefusedOrigin } from '../http/refused-origins.ts'
import type { Bounds } from '../limits/bounds.ts'
import type { SocketServer } from '../realtime/rooms.ts'

const CLOSE_TIMEOUT_MS = 3000

/** Creates the Socket.IO server on the app's HTTP server; `acceptSockets` starts accepting sockets. */
export function createSocketServer(
  app: FastifyInstance,
  bounds: Bounds,
  readCaller: ReadCaller,
  noteRefusedOrigin: NoteRefusedOrigin,
): SocketServer {
  const io: SocketServer = new Server(app.server, {
    perMessageDeflate: false,
    serveClient: false,
    maxHttpBufferSize: bounds.frameBytes,
    connectTimeout: bounds.handshakeTimeoutMs,
    allowRequest: (request, decide) => {
      const { origin } = request.headers
      const caller = readCaller(request)
      const isAllowed = isSameOrigin(origin, caller)
      if (!isAllowed) noteRefusedOrigin(String(origin), caller)
      decide(null, isAllowed)
    },
  })
  closeOnShutdown(app, io)
  coalesceSocketWrites(io)
  return io
}

/** Closes all sockets, which would keep the server from closing. Clients reconnect to another node or after the restart. */
function closeOnShutdown(app: FastifyInstance, io: SocketServer) {
  const connections = new Set<Socket>()
  app.server.on('connection', (connection) => {
    connections.add(connection)
    connection.once('close', () => connections.delete(connection))
  })
  app.addHook('preClose', async () => {
    io.disconnectSockets(true)
    io.engine.close()
    // A sleeping laptop never answers the closing handshake.
    setTimeout(() => {
      for (const connection of connections) connection.destroy()
    }, CLOSE_TIMEOUT_MS).unref()
  })
}
