import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { endSession, endSessions, listSessions } from '#contract/sessions'
import { notFound } from '../../errors.ts'
import { deviceOf } from '../../identity/device-name.ts'
import { route } from '../../route.ts'

/** A user's sessions. Deleting a row ends its tokens and sockets on every node (`identity/bearer-tokens.ts`). */
export default async function sessions(app: FastifyInstance) {
  const { db, pollSoon } = app
  const mine = (userId: string) => db.deleteFrom('sessions').where('userId', '=', userId)

  route(app, listSessions, async ({ me, sessionId }) => {
    const rows = await db
      .selectFrom('sessions')
      .select(['id', 'ipAddress', 'userAgent', 'createdAt', 'lastUsedAt'])
      .where('userId', '=', me)
      .where('expiresAt', '>', sql<string>`now()`)
      .orderBy((row) => row('id', '=', sessionId), 'desc')
      .orderBy('lastUsedAt', 'desc')
      .execute()
    return rows.map(({ id, userAgent, ipAddress, ...times }) => {
      const isCurrent = id === sessionId
      return { id, isCurrent, ...deviceOf(userAgent), ipAddress: ipAddress || null, ...times }
    })
  })

  route(app, endSession, async ({ params, me }) => {
    const { numDeletedRows } = await mine(me).where('id', '=', params.sessionId).executeTakeFirst()
    if (numDeletedRows === 0n) throw notFound('errors.sessionNotFound')
    pollSoon()
    return undefined
  })

  route(app, endSessions, async ({ query: { except }, me, sessionId }) => {
    await (except ? mine(me).where('id', '!=', sessionId) : mine(me)).execute()
    pollSoon()
    return undefined
  })
}
