import { verifyPassword } from 'better-auth/crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { cancelEmail, changeEmail, getEmail, type MyEmail, sendConfirmation } from '#contract/email'
import { lockActiveUsers } from '../../channels/memberships.ts'
import { conflict, invalidField, notFound, rateLimited, unauthenticated } from '../../errors.ts'
import { mailChangeNotice, mailConfirmation, mailEmailChange } from '../../identity/email-links.ts'
import { passwordAccount } from '../../identity/passwords.ts'
import { countPasswordAttempt } from '../../identity/sign-in-guard.ts'
import { countAttempt } from '../../limits/attempts.ts'
import { route } from '../../route.ts'

/** Per person: mails to unconfirmed addresses. `window` is in seconds. */
const MAILS_PER_PERSON = { window: 3600, max: 10 }

/** The user's own address, confirmed and changed by mailed links. */
export default async function email(app: FastifyInstance) {
  const { config, db } = app
  const { mail } = config

  async function readEmail(me: string): Promise<MyEmail> {
    const { email, isConfirmed } = await db
      .selectFrom('users')
      .select(['email', 'emailVerified as isConfirmed'])
      .where('id', '=', me)
      .executeTakeFirstOrThrow()
    const pending = await selectPending(me).executeTakeFirst()
    const isMine = (await passwordAccount(db, me)) !== undefined
    return { email, isConfirmed, pending: pending ?? null, sendsMail: mail !== undefined, isMine }
  }

  const selectPending = (me: string) =>
    db
      .selectFrom('mail_links')
      .select(['email', 'expiresAt'])
      .where('userId', '=', me)
      .where('kind', '=', 'change')
      .where('expiresAt', '>', sql<string>`clock_timestamp()`)

  async function countMail(me: string) {
    if (!mail) throw notFound('errors.noMail')
    const { allowed, retryAfter } = config.rateLimit
      ? await countAttempt(db, `address mails of ${me}`, MAILS_PER_PERSON)
      : { allowed: true, retryAfter: 0 }
    if (!allowed) throw rateLimited(retryAfter, 'errors.tooManyMails')
  }

  route(app, getEmail, ({ me }) => readEmail(me))

  route(app, changeEmail, async ({ body: { email, password }, me }) => {
    await countMail(me)
    const { allowed, retryAfter } = config.rateLimit
      ? await countPasswordAttempt(db, me)
      : { allowed: true, retryAfter: 0 }
    if (!allowed) throw rateLimited(retryAfter, 'errors.tooManyAttempts')
    const hash = (await passwordAccount(db, me))?.password
    if (!hash) throw conflict('no_password', 'errors.emailOfProvider')
    if (!(await verifyPassword({ hash, password }))) throw invalidField('password', 'errors.wrongPassword')
    const mine = await readEmail(me)
    if (email === mine.email) throw invalidField('email', 'errors.emailIsYours')
    await db.transaction().execute(async (tx) => {
      if ((await lockActiveUsers(tx, [me])).size === 0) throw unauthenticated()
      await mailEmailChange(tx, app, me, email)
      await mailChangeNotice(tx, app, me, email)
    })
    return readEmail(me)
  })

  route(app, cancelEmail, async ({ me }) => {
    await db.deleteFrom('mail_links').where('userId', '=', me).where('kind', '=', 'change').execute()
    return undefined
  })

  route(app, sendConfirmation, async ({ me }) => {
    await countMail(me)
    const pending = await selectPending(me).executeTakeFirst()
    await db.transaction().execute(async (tx) => {
      if ((await lockActiveUsers(tx, [me])).size === 0) throw unauthenticated()
      if (pending) await mailEmailChange(tx, app, me, pending.email)
      else await mailConfirmation(tx, app, me)
    })
    return readEmail(me)
  })
}
