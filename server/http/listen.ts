import { once } from 'node:events'
import { type AddressInfo, createServer, type ListenOptions, type Server } from 'node:net'
import type { FastifyInstance, FastifyListenOptions } from 'fastify'

/**
 * Node accepts one connection per listening socket and turn of the event loop. The turns of a busy node are long: with one
 * socket, it accepts only a few of a stopped node's clients per second, most of them after they have given up.
 */
const LISTENING_SOCKETS = 16

/**
 * Listens on a port, or on a free one if it is 0. Call it before the app is ready.
 * @throws Error of the system, such as EADDRINUSE
 */
export async function listen(app: FastifyInstance, { port, host }: { port: number; host: string }) {
  // Supported where the system distributes connections among the sockets of a port, such as on Linux.
  const isShareable = await tryPort({ port: 0, host, reusePort: true }).then(
    () => true,
    () => false,
  )
  if (!isShareable) return void (await app.listen({ port, host }))
  // With `reusePort`, the system wouldn't refuse a port that another node uses.
  if (port !== 0) await tryPort({ port, host })
  const others: Server[] = []
  app.addHook('preClose', async () => {
    for (const other of others) other.close()
  })
  await app.listen({ port, host, reusePort: true } as FastifyListenOptions)
  const { port: actual } = app.server.address() as AddressInfo
  while (others.length < LISTENING_SOCKETS - 1) {
    const other = createServer({ allowHalfOpen: true, noDelay: true }, (connection) => {
      app.server.emit('connection', connection)
    })
    others.push(other)
    await startListening(other, { port: actual, host, reusePort: true })
  }
}

/** Listens briefly to check that the port is available. */
async function tryPort(where: ListenOptions) {
  const probe = createServer()
  await startListening(probe, where)
  probe.close()
  await once(probe, 'close')
}

async function startListening(server: Server, where: ListenOptions) {
  server.listen(where)
  await once(server, 'listening')
}
