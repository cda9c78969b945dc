import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { withDeadline } from '../http/deadline.ts'

/** Bounds are not for those who look whether the process is well. */
export const unlimited = { config: { isUnlimited: true } }

/** For those who watch the process: `healthz` says it lives, `readyz` that its database answers. */
export default async function health(app: FastifyInstance) {
  app.get('/healthz', unlimited, async () => ({ status: 'ok' }))
  // However many ask at once, the database is asked by one.
  let asking: Promise<unknown> | undefined
  const ask = () => {
    asking ??= withDeadline(sql`select 1`.execute(app.db)).finally(() => {
      asking = undefined
    })
    return asking
  }
  app.get('/readyz', unlimited, async () => {
    await ask()
    return { status: 'ok' }
  })
}
