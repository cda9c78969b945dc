import type { FastifyBaseLogger } from 'fastify'
import { PROVIDER } from '#contract/identity'
import { type AuditSource, writeAudit } from '../audit/write-audit.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import { busy } from '../errors.ts'
import { enqueueMail } from '../mail/enqueue-mail.ts'
import type { LinkCode } from '../mail/link-codes.ts'
import { mailTexts } from '../mail/mail-texts.ts'
import { storeMailedLink } from './mailed-links.ts'

const VALID_HOURS = 1
/** Queued requests; each takes a few milliseconds. */
const MAX_WAITING = 200

interface Options {
  config: Pick<Config, 'mail' | 'oidc'>
  db: Db
  linkCode: LinkCode
  log: FastifyBaseLogger
}

interface ForgottenPassword {
  /** As typed. */
  email: string
  /** The browser's languages, best first. */
  languages: string[]
  source: AuditSource
}

/**
 * Mails links to new passwords, one request after the other. `ask` returns immediately and without a result: neither the answer
 * nor its timing reveals whether the address belongs to somebody.
 */
export function openForgottenPasswords({ config, db, linkCode, log }: Options) {
  const { mail } = config
  let waiting = 0
  let last = Promise.resolve()

  async function sendLink({ email, languages, source }: ForgottenPassword) {
    if (!mail) return
    await db.transaction().execute(async (tx) => {
      const person = await tx
        .selectFrom('users')
        .select(['id', 'users.email', 'username', 'language'])
        .where('users.email', '=', email.toLowerCase())
        .where('deactivatedAt', 'is', null)
        .where((row) =>
          row.or([
            row.exists(
              row
                .selectFrom('accounts')
                .select('accounts.id')
                .whereRef('accounts.userId', '=', 'users.id')
                .where((account) =>
                  account.or([
                    account('password', 'is not', null),
                    // See `hasLostProvider`.
                    ...(config.oidc ? [] : [account('providerId', '=', PROVIDER)]),
                  ]),
                ),
            ),
            // Imported people can't sign in yet: whoever reads the mail of their address claims the account.
            row.exists(
              row
                .selectFrom('imported_people')
                .select('userId')
                .whereRef('imported_people.userId', '=', 'users.id')
                .where('claimedAt', 'is', null)
                .where('isBot', '=', false),
            ),
          ]),
        )
        .forUpdate()
        .executeTakeFirst()
      if (!person) return
      const codeFor = await storeMailedLink(tx, linkCode, {
        userId: person.id,
        kind: 'password',
        email: person.email,
        hours: VALID_HOURS,
      })
      const { t, language, direction } = mailTexts(person.language, ...languages)
      const isQueued = await enqueueMail(tx, config, {
        to: person.email,
        userId: person.id,
        content: {
          subject: t('mail.password.subject'),
          paragraphs: [t('mail.password.text', { username: `@${person.username}` }), t('mail.password.once')],
          action: { label: t('mail.password.action'), url: `${mail.publicUrl}/new-password#`, codeFor },
          footer: t('mail.password.footer'),
          language,
          direction,
        },
      })
      if (isQueued)
        await writeAudit(tx, { kind: 'password_link_mailed', actorId: null, personId: person.id, ...source })
    })
  }

  return {
    /** @throws AppError 503 if too many are queued */
    ask(request: ForgottenPassword) {
      if (waiting >= MAX_WAITING) throw busy(`${MAX_WAITING} requests for a new password wait`)
      waiting++
      last = last
        .then(() => sendLink(request))
        .catch((err) => log.error({ err }, 'could not mail a link to a new password'))
        .finally(() => {
          waiting--
        })
    },
    /** Waits for the queued requests. */
    close: () => last,
  }
}
