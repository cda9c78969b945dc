import type { FastifyInstance } from 'fastify'
import {
  getTwoFactor,
  renewRecoveryCodes,
  setUpTwoFactor,
  turnOffTwoFactor,
  turnOnTwoFactor,
} from '#contract/two-factor'
import { sourceOf } from '../../audit/write-audit.ts'
import { createTwoFactor } from '../../identity/factors/two-factor.ts'
import { countOwnAttempt } from '../../identity/sign-in-guard.ts'
import { userRoom } from '../../realtime/rooms.ts'
import { route } from '../../route.ts'

/** The user's own second factor. */
export default async function twoFactor(app: FastifyInstance) {
  const { config, db, publish } = app
  const factor = createTwoFactor(db, app.secret)

  route(app, getTwoFactor, ({ me }) => factor.state(me))

  route(app, setUpTwoFactor, async ({ body, me, request }) => {
    await countOwnAttempt(app, me)
    const { hostname } = new URL(config.publicUrl ?? request.caller.origin)
    return factor.setUp(me, body.password, `Parley ${hostname}`)
  })

  route(app, turnOnTwoFactor, async ({ body, me, sessionId, request }) => {
    await countOwnAttempt(app, me)
    const recoveryCodes = await factor.turnOn({ userId: me, sessionId, source: sourceOf(request) }, body.code)
    publish(userRoom(me), 'permissions:changed', {})
    return { recoveryCodes }
  })

  route(app, renewRecoveryCodes, async ({ body, me, sessionId, request }) => {
    await countOwnAttempt(app, me)
    const act = { userId: me, sessionId, source: sourceOf(request) }
    return { recoveryCodes: await factor.renewCodes(act, body.password) }
  })

  route(app, turnOffTwoFactor, async ({ body, me, sessionId, request }) => {
    await countOwnAttempt(app, me)
    await factor.turnOff({ userId: me, sessionId, source: sourceOf(request) }, body.password)
    publish(userRoom(me), 'permissions:changed', {})
    return undefined
  })
}
