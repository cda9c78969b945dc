import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { withDeadline } from '../http/deadline.ts'

/** The options of routes without rate limits. */
export const unlimited = { config: { isUnlimited: true } }

/** Mounts the health checks: `healthz` for the process, `readyz` for its database and files, and whether it wants requests. */
export default async function health(app: FastifyInstance) {
  app.get('/healthz', unlimited, async () => ({ status: 'ok' }))
  // Concurrent checks share a query.
  let running: Promise<unknown> | undefined
  const pingDatabase = () => {
    running ??= withDeadline(sql`select 1`.execute(app.db)).finally(() => {
      running = undefined
    })
    return running
  }
  app.get('/readyz', unlimited, async (_, reply) => {
    if (app.drain.isDraining()) return reply.code(503).send({ status: 'draining' })
    if (app.storeCheck.isForeign()) return reply.code(503).send({ status: 'other_files' })
    await pingDatabase()
    return { status: 'ok' }
  })
}
