import type { FastifyInstance } from 'fastify'
import { addPasskey, beginPasskey, listPasskeys, removePasskey, renamePasskey } from '#contract/passkeys'
import { sourceOf } from '../../audit/write-audit.ts'
import { createPasskeys, siteOf } from '../../identity/factors/passkeys.ts'
import { countOwnAttempt } from '../../identity/sign-in-guard.ts'
import { userRoom } from '../../realtime/rooms.ts'
import { route } from '../../route.ts'

/** The user's own passkeys. */
export default async function passkeys(app: FastifyInstance) {
  const keys = createPasskeys(app.db)

  route(app, listPasskeys, ({ me }) => keys.list(me))

  route(app, beginPasskey, async ({ body, me, sessionId, request }) => {
    await countOwnAttempt(app, me)
    return keys.begin({ userId: me, sessionId, source: sourceOf(request) }, body.password, siteOf(request.caller))
  })

  route(app, addPasskey, async ({ body, me, sessionId, request }) => {
    const act = { userId: me, sessionId, source: sourceOf(request) }
    const added = await keys.add(act, body, siteOf(request.caller))
    // Its session has a second factor now.
    app.publish(userRoom(me), 'permissions:changed', {})
    return added
  })

  route(app, renamePasskey, ({ params, body, me }) => keys.rename(me, params.passkeyId, body.name))

  route(app, removePasskey, async ({ params, me, sessionId, request }) => {
    await keys.remove({ userId: me, sessionId, source: sourceOf(request) }, params.passkeyId)
    return undefined
  })
}
