import { sql, type Transaction } from 'kysely'
import type { ConfirmedEmail } from '#contract/identity'
import { type AuditSource, writeAudit } from '../audit/write-audit.ts'
import type { Config } from '../config/config.ts'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { enqueueMail } from '../mail/enqueue-mail.ts'
import type { LinkCode } from '../mail/link-codes.ts'
import { mailTexts } from '../mail/mail-texts.ts'
import { bumpPeopleVersion } from '../people/deactivate.ts'
import { storeMailedLink } from './mailed-links.ts'
import { hashOf } from './sign-up-policy.ts'

const CONFIRM_HOURS = 72
const CHANGE_HOURS = 24

interface Services {
  config: Pick<Config, 'mail'>
  linkCode: LinkCode
}

/** Mails a link that confirms somebody's address, unless it is confirmed. Returns whether a mail was queued. */
export async function mailConfirmation(tx: Transaction<DB>, services: Services, userId: string): Promise<boolean> {
  const person = await readUnconfirmed(tx, userId)
  if (!services.config.mail || !person) return false
  const { email, username, language: spoken } = person
  const codeFor = await storeMailedLink(tx, services.linkCode, { userId, kind: 'confirm', email, hours: CONFIRM_HOURS })
  const { t, language, direction } = mailTexts(spoken)
  return enqueueMail(tx, services.config, {
    to: email,
    userId,
    content: {
      subject: t('mail.confirm.subject'),
      paragraphs: [t('mail.confirm.text', { username: `@${username}` }), t('mail.confirm.once')],
      action: { label: t('mail.confirm.action'), url: `${services.config.mail.publicUrl}/confirm-email#`, codeFor },
      footer: t('mail.confirm.footer'),
      language,
      direction,
    },
  })
}

const readUnconfirmed = (tx: Transaction<DB>, userId: string) =>
  tx
    .selectFrom('users')
    .select(['email', 'username', 'language'])
    .where('id', '=', userId)
    .where('emailVerified', '=', false)
    .where('deactivatedAt', 'is', null)
    .executeTakeFirst()

/**
 * Mails a link to a person's new address that confirms the change. If the address is taken, only this mail reveals it, to its
 * owner. Returns whether a mail was queued.
 */
export async function mailEmailChange(tx: Transaction<DB>, services: Services, userId: string, wanted: string) {
  const { mail } = services.config
  const person = await tx
    .selectFrom('users')
    .select(['username', 'language'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (!mail) return false
  const link = { userId, kind: 'change' as const, email: wanted, hours: CHANGE_HOURS }
  const codeFor = await storeMailedLink(tx, services.linkCode, link)
  const taken = await tx.selectFrom('users').select('id').where('email', '=', wanted).executeTakeFirst()
  const { t, language, direction } = mailTexts(person.language)
  const username = `@${person.username}`
  return enqueueMail(tx, services.config, {
    to: wanted,
    userId: taken ? taken.id : userId,
    content: {
      subject: t('mail.change.subject'),
      paragraphs: taken
        ? [t('mail.change.taken', { username })]
        : [t('mail.change.text', { username }), t('mail.change.once')],
      ...(!taken && {
        action: { label: t('mail.change.action'), url: `${mail.publicUrl}/confirm-email#`, codeFor },
      }),
      footer: t('mail.change.footer'),
      language,
      direction,
    },
  })
}

/** Notifies the current address that a change was requested. */
export async function mailChangeNotice(tx: Transaction<DB>, { config }: Services, userId: string, wanted: string) {
  const person = await tx
    .selectFrom('users')
    .select(['email', 'username', 'language'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  const { t, language, direction } = mailTexts(person.language)
  await enqueueMail(tx, config, {
    to: person.email,
    userId,
    content: {
      subject: t('mail.changing.subject'),
      paragraphs: [
        t('mail.changing.text', { username: `@${person.username}`, email: wanted }),
        t('mail.changing.notYou'),
      ],
      language,
      direction,
    },
  })
}

/** The person and address that a link confirms; undefined if it has expired or was used. */
async function findLink(db: Db | Transaction<DB>, code: string) {
  const link = await db
    .selectFrom('mail_links')
    .innerJoin('users', 'users.id', 'mail_links.userId')
    .select(['users.id', 'users.username', 'mail_links.email', 'kind'])
    .where('codeHash', '=', hashOf(code))
    .where('kind', 'in', ['confirm', 'change'])
    .where('expiresAt', '>', sql<string>`clock_timestamp()`)
    .where('deactivatedAt', 'is', null)
    .executeTakeFirst()
  return link && { ...link, isNew: link.kind === 'change' }
}

/** @throws AppError 404 if the link has ended */
export async function checkEmailLink(db: Db, code: string): Promise<ConfirmedEmail> {
  const link = await findLink(db, code)
  if (!link) throw notFound('errors.mailLinkEnded')
  return { username: link.username, email: link.email, isNew: link.isNew }
}

/** Confirms or changes an address by the code of a link, once. @throws AppError 404 if the link has ended */
export async function confirmEmail(db: Db, code: string, source: AuditSource): Promise<ConfirmedEmail> {
  await checkEmailLink(db, code)
  return db
    .transaction()
    .execute(async (tx) => {
      await bumpPeopleVersion(tx)
      const link = await findLink(tx, code)
      const { numDeletedRows } = await tx
        .deleteFrom('mail_links')
        .where('codeHash', '=', hashOf(code))
        .executeTakeFirst()
      if (!link || numDeletedRows === 0n) throw notFound('errors.mailLinkEnded')
      const { id, email, username, isNew } = link
      const change = { email, emailVerified: true, updatedAt: sql<string>`clock_timestamp()` }
      await tx.updateTable('users').set(change).where('id', '=', id).execute()
      if (isNew) await writeAudit(tx, { kind: 'email_changed', actorId: id, ...source })
      return { username, email, isNew }
    })
    .catch((error) => {
      // Somebody else has taken the address by now.
      if (error.constraint === 'users_email_key') throw notFound('errors.mailLinkEnded')
      throw error
    })
}
