import type { FastifyInstance } from 'fastify'
import { can } from '#contract/can'
import { changePassword, createPasswordReset, getPassword } from '#contract/password'
import { sourceOf } from '../../audit/write-audit.ts'
import { lockActiveUsers } from '../../channels/memberships.ts'
import { forbidden, notFound } from '../../errors.ts'
import * as resets from '../../identity/password-resets.ts'
import { passwordAccount, replacePassword } from '../../identity/passwords.ts'
import { countOwnAttempt } from '../../identity/sign-in-guard.ts'
import { roleOf } from '../../people/profiles.ts'
import { route } from '../../route.ts'

/** The user's own password, and links for others to set a new one. */
export default async function password(app: FastifyInstance) {
  const { db, pollSoon } = app

  route(app, getPassword, async ({ me }) => ({ isSet: (await passwordAccount(db, me)) !== undefined }))

  route(app, changePassword, async ({ body, me, sessionId, request }) => {
    await countOwnAttempt(app, me)
    await replacePassword(db, {
      userId: me,
      sessionId,
      endsOtherSessions: body.endsOtherSessions ?? true,
      current: body.current,
      next: body.new,
      source: sourceOf(request),
    })
    pollSoon()
    return undefined
  })

  route(app, createPasswordReset, ({ params: { userId }, body, me, request }) =>
    db.transaction().execute(async (tx) => {
      // Locks the users, so that somebody who is being deactivated or demoted creates no link afterwards.
      const active = await lockActiveUsers(tx, [me, userId])
      if (!active.has(userId)) throw notFound('errors.userNotFound')
      const [mine, theirs] = [await roleOf(tx, me), await roleOf(tx, userId)]
      if (!active.has(me) || !can.resetPassword({ id: me, role: mine }, { id: userId, role: theirs })) throw forbidden()
      const endsSecondFactor = body?.endsSecondFactor === true
      return resets.createPasswordReset(tx, app.config, {
        userId,
        createdBy: me,
        endsSecondFactor,
        source: sourceOf(request),
      })
    }),
  )
}
