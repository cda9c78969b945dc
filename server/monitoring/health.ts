import type { FastifyInstance } from 'fastify'
import { isReplica } from '../db/connection-problem.ts'
import { unavailable } from '../errors.ts'
import { withDeadline } from '../http/deadline.ts'

/** The options of routes without rate limits. */
export const unlimited = { config: { isUnlimited: true } }

/** Mounts the health checks: `healthz` for the process, `readyz` for its database and files, and whether it is draining. */
export default async function health(app: FastifyInstance) {
  app.get('/healthz', unlimited, async () => ({ status: 'ok' }))
  // Concurrent checks share a query.
  let running: Promise<boolean> | undefined
  const findReplica = () => {
    running ??= withDeadline(isReplica(app.db)).finally(() => {
      running = undefined
    })
    return running
  }
  app.get('/readyz', unlimited, async (_, reply) => {
    if (app.drain.isDraining()) return reply.code(503).send({ status: 'draining' })
    if (app.storeCheck.isForeign()) return reply.code(503).send({ status: 'other_files' })
    // After a failover, the database's address may still point to a replica.
    if (await findReplica()) throw unavailable('the database is a read replica')
    // Still 200: everything can be read, and the other nodes share the database.
    return { status: app.databaseDisk.isFull() ? 'disk_full' : 'ok' }
  })
}
