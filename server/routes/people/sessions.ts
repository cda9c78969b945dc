import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { endSession, endSessions, listSessions } from '#contract/sessions'
import { sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { notFound } from '../../errors.ts'
import { route } from '../../route.ts'
import { deviceOf } from '../../text/device-name.ts'

/** A user's sessions. Deleting a row ends its tokens and sockets on every node (`identity/bearer-tokens.ts`). */
export default async function sessions(app: FastifyInstance) {
  const { db, pollSoon } = app
  /** Ends sessions of a user and records it. Returns how many. */
  const end = (userId: string, request: FastifyRequest, which: { id?: string; except?: string }) =>
    db.transaction().execute(async (tx) => {
      let mine = tx.deleteFrom('sessions').where('userId', '=', userId)
      if (which.id !== undefined) mine = mine.where('id', '=', which.id)
      if (which.except !== undefined) mine = mine.where('id', '!=', which.except)
      const count = Number((await mine.executeTakeFirst()).numDeletedRows)
      if (count > 0)
        await writeAudit(tx, { kind: 'sessions_ended', actorId: userId, details: { count }, ...sourceOf(request) })
      return count
    })

  route(app, listSessions, async ({ me, sessionId }) => {
    const rows = await db
      .selectFrom('sessions')
      .select(['id', 'ipAddress', 'userAgent', 'createdAt', 'lastUsedAt'])
      .select(sql<boolean>`"isNewDevice" and "createdAt" > now() - interval '7 days'`.as('isNew'))
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

  route(app, endSession, async ({ params, me, request }) => {
    if ((await end(me, request, { id: params.sessionId })) === 0) throw notFound('errors.sessionNotFound')
    pollSoon()
    return undefined
  })

  route(app, endSessions, async ({ query: { except }, me, sessionId, request }) => {
    await end(me, request, except ? { except: sessionId } : {})
    pollSoon()
    return undefined
  })
}
