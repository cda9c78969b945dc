import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Realtime } from '../realtime.ts'

/** Milliseconds that a connection has to end by itself when the server stops. */
const FAREWELL = 3000

/** Sockets would keep the server from closing. Clients come back by themselves, to another node or the next start. */
export function closeSockets(app: FastifyInstance, io: Realtime) {
  const connections = new Set<Socket>()
  app.server.on('connection', (connection) => {
    connections.add(connection)
    connection.once('close', () => connections.delete(connection))
  })
  app.addHook('preClose', async () => {
    io.disconnectSockets(true)
    io.engine.close()
    // A laptop that sleeps never answers the farewell.
    setTimeout(() => {
      for (const connection of connections) connection.destroy()
    }, FAREWELL).unref()
  })
}
