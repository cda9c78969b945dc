import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import { Server } from 'socket.io'
import { isSameOrigin, type ReadCaller } from '../http/caller.ts'
import { coalesceSocketWrites } from '../http/engine-internals.ts'
import type { Bounds } from '../limits/bounds.ts'
import type { Realtime } from '../realtime.ts'

/** Time that connections have to end by themselves when the server stops. */
const CLOSE_TIMEOUT_MS = 3000

/** Creates the Socket.IO server on the app's HTTP server; `acceptSockets` lets sockets in. */
export function createSocketServer(app: FastifyInstance, bounds: Bounds, readCaller: ReadCaller): Realtime {
  const io: Realtime = new Server(app.server, {
    perMessageDeflate: false,
    serveClient: false,
    maxHttpBufferSize: bounds.frameBytes,
    connectTimeout: bounds.handshakeTimeoutMs,
    allowRequest: (request, decide) => decide(null, isSameOrigin(request.headers.origin, readCaller(request))),
  })
  closeOnShutdown(app, io)
  coalesceSocketWrites(io)
  return io
}

/** Open sockets would keep the server from closing. Clients reconnect by themselves, to another node or the next start. */
function closeOnShutdown(app: FastifyInstance, io: Realtime) {
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
