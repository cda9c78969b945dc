import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { inTime } from './in-time.ts'

/** For those who watch the process: `healthz` says it lives, `readyz` that its database answers. */
export default async function health(app: FastifyInstance) {
  app.get('/healthz', async () => ({ status: 'ok' }))
  app.get('/readyz', async () => {
    await inTime(sql`select 1`.execute(app.db))
    return { status: 'ok' }
  })
}
