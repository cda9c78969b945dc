import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import * as z from 'zod/mini'
import type { ConfirmedEmail } from '#contract/identity'
import { storable } from '#contract/text'
import { sourceOf } from '../audit/write-audit.ts'
import { notFound, rateLimited } from '../errors.ts'
import { withDeadline } from '../http/deadline.ts'
import { type AttemptLimit, countAttempt } from '../limits/attempts.ts'
import { languagesIn } from '../mail/mail-texts.ts'
import { read } from '../route.ts'
import { checkEmailLink, confirmEmail } from './email-links.ts'
import { openForgottenPasswords } from './forgotten-passwords.ts'

/** Small, because these bodies are read before authentication. */
const MAX_BODY_BYTES = 4 * 1024
/** Per client, and per mail address. `window` is in seconds. */
const PER_CLIENT = { window: 600, max: 20 }
const PER_ADDRESS = { window: 600, max: 3 }

const Code = z.object({ code: z.string().check(z.maxLength(64)) })
const Forgotten = z.object({ email: z.string().check(z.minLength(3), z.maxLength(320), storable) })

/** Calls for links in mails about an account, which need no sign-in. */
export async function mountMailLinks(app: FastifyInstance) {
  const { config, db, linkCode } = app
  const { mail, oidc } = config
  // Pages of other origins can post text/plain without a preflight request, so it is not parsed.
  app.removeContentTypeParser('text/plain')

  // The code is in the body, because proxies log URLs.
  app.post('/api/auth/email/check', { bodyLimit: MAX_BODY_BYTES }, async (request): Promise<ConfirmedEmail> => {
    const { code } = read('body', Code, request.body)
    return withDeadline(checkEmailLink(db, code))
  })
  app.post('/api/auth/email/confirm', { bodyLimit: MAX_BODY_BYTES }, async (request): Promise<ConfirmedEmail> => {
    const { code } = read('body', Code, request.body)
    const confirmed = await withDeadline(confirmEmail(db, code, sourceOf(request)))
    app.pollSoon()
    return confirmed
  })

  if (!mail || oidc?.only) {
    app.post('/api/auth/password-reset/mail', async () => {
      throw notFound('errors.noMail')
    })
    return
  }
  const forgotten = openForgottenPasswords({ config, db, linkCode, log: app.log })
  app.addHook('onClose', () => forgotten.close())

  async function count(key: string, limit: AttemptLimit) {
    if (!config.rateLimit) return
    const { allowed, retryAfter } = await withDeadline(countAttempt(db, key, limit))
    if (!allowed) throw rateLimited(retryAfter, 'errors.tooManyAttempts')
  }

  app.post('/api/auth/password-reset/mail', { bodyLimit: MAX_BODY_BYTES }, async (request, reply) => {
    const { email } = read('body', Forgotten, request.body)
    await count(`forgotten of ${request.caller.rateLimitKey}`, PER_CLIENT)
    // Unknown addresses are counted as well, so that they can't be told apart.
    await count(`forgotten ${digest(email.trim().toLowerCase())}`, PER_ADDRESS)
    forgotten.ask({ email: email.trim(), languages: languagesOf(request), source: sourceOf(request) })
    return reply.status(202).send({ isAccepted: true })
  })
}

const languagesOf = ({ headers }: FastifyRequest) => languagesIn(headers['accept-language'])

/** Hashed, so that the table does not reveal what was typed. */
const digest = (text: string) => createHash('sha256').update(text).digest('base64url')
