import type { FastifyInstance } from 'fastify'
import { can } from '#contract/can'
import { demandSecondFactor, getSecondFactorDemand } from '#contract/second-factor-demand'
import { sourceOf } from '../../audit/write-audit.ts'
import { forbidden } from '../../errors.ts'
import { readDemand, setDemand } from '../../identity/factors/demand.ts'
import { roleOf } from '../../people/profiles.ts'
import { route } from '../../route.ts'

/** Whether the workspace demands a second factor. */
export default async function secondFactorDemand(app: FastifyInstance) {
  const { db, pollSoon } = app

  route(app, getSecondFactorDemand, async ({ me }) => {
    if (!can.manageWorkspace({ role: await roleOf(db, me) })) throw forbidden()
    return readDemand(db)
  })

  route(app, demandSecondFactor, async ({ body, me, sessionId, request }) => {
    const { isDemanded, graceDays = 0 } = body
    await setDemand(db, { me, sessionId, isDemanded, graceDays, source: sourceOf(request) })
    pollSoon()
    return undefined
  })
}
