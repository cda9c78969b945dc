import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { type Invite, mailInviteAgain, mailInvites } from '#contract/invites'
import { actAs, sourceOf } from '../../audit/write-audit.ts'
import { newId } from '../../db/ids.ts'
import type { DB } from '../../db/schema.ts'
import { readWorkspaceName } from '../../db/workspace-name.ts'
import { busy, notFound, rateLimited } from '../../errors.ts'
import { hashOf, liveInvites } from '../../identity/sign-up-policy.ts'
import { countAttempt } from '../../limits/attempts.ts'
import { enqueueMail } from '../../mail/enqueue-mail.ts'
import { mailTexts } from '../../mail/mail-texts.ts'
import { route } from '../../route.ts'
import { beginInviting, presentInvite, requireManager, selectInvites, storeInvites } from './invite-rows.ts'

/** Per person: mailed invites. `window` is in seconds. */
const MAILS_PER_PERSON = { window: 3600, max: 100 }

/** A sentence whose last word may end with a dot itself, as in 'Acme, Inc.' */
const withOneDot = (sentence: string) => sentence.replace(/\.(\u2069?)\.$/, '.$1')

/** Mailed invites, each for one address. Only the mail contains the code of the link. */
export function mountInviteMails(app: FastifyInstance) {
  const { config, db, linkCode } = app
  const { mail } = config

  async function countMails(me: string, count: number) {
    if (!config.rateLimit) return
    for (let i = 0; i < count; i++) {
      const { allowed, retryAfter } = await countAttempt(db, `invite mails of ${me}`, MAILS_PER_PERSON)
      if (!allowed) throw rateLimited(retryAfter, 'errors.tooManyInviteMails')
    }
  }

  const codeFor = (inviteId: string) => `invite ${inviteId}`

  /** @throws AppError 503 if too many mails are queued */
  async function enqueue(tx: Transaction<DB>, invite: { id: string; email: string; mailId: string }, me: string) {
    const sender = tx.selectFrom('users').select(['name', 'language']).where('id', '=', me)
    const { name, language: spoken } = await sender.executeTakeFirstOrThrow()
    const { t, language, direction } = mailTexts(spoken)
    const workspace = await readWorkspaceName(tx)
    const isQueued = await enqueueMail(tx, config, {
      id: invite.mailId,
      to: invite.email,
      userId: null,
      content: {
        subject: t('mail.invite.subject', { name, workspace }),
        paragraphs: [
          withOneDot(t('mail.invite.text', { name, workspace })),
          t('mail.invite.bound', { email: invite.email }),
        ],
        action: { label: t('mail.invite.action'), url: `${mail?.publicUrl}/invite/`, codeFor: codeFor(invite.id) },
        footer: t('mail.invite.footer'),
        language,
        direction,
      },
    })
    if (!isQueued) throw busy('the queue of mails is full')
  }

  async function read(me: string, ids: string[]): Promise<Invite[]> {
    const viewer = await requireManager(db, me)
    const rows = await selectInvites(db, me).where('invites.id', 'in', ids).orderBy('invites.id').execute()
    return rows.map((row) => presentInvite(viewer, row))
  }

  route(app, mailInvites, async ({ body: { emails, ...offer }, me, request }) => {
    await requireManager(db, me)
    if (!mail) throw notFound('errors.noMail')
    const invites = [...new Set(emails)].map((email) => ({ id: newId(), mailId: newId(), email }))
    await countMails(me, invites.length)
    await db.transaction().execute(async (tx) => {
      await actAs(tx, me, sourceOf(request))
      await beginInviting(tx, me)
      await tx
        .updateTable('invites')
        .set({ revokedAt: sql<string>`clock_timestamp()` })
        .where('email', 'in', emails)
        .where('id', 'in', liveInvites(tx).clearSelect().select('invites.id'))
        .execute()
      const stored = invites.map((invite) => ({
        ...invite,
        codeHash: hashOf(linkCode(codeFor(invite.id))),
        maxUses: 1,
      }))
      await storeInvites(tx, me, stored, offer)
      for (const invite of invites) await enqueue(tx, invite, me)
    })
    return read(
      me,
      invites.map(({ id }) => id),
    )
  })

  route(app, mailInviteAgain, async ({ params: { inviteId }, me, request }) => {
    await requireManager(db, me)
    if (!mail) throw notFound('errors.noMail')
    await countMails(me, 1)
    await db.transaction().execute(async (tx) => {
      await actAs(tx, me, sourceOf(request))
      await beginInviting(tx, me)
      const live = await liveInvites(tx).where('invites.id', '=', inviteId).executeTakeFirst()
      if (!live?.email) throw notFound('errors.inviteNotFound')
      // Drop a mail that is still queued.
      if (live.mailId) await tx.deleteFrom('mails').where('id', '=', live.mailId).execute()
      const mailId = newId()
      // The secret may have changed since.
      const codeHash = hashOf(linkCode(codeFor(inviteId)))
      await tx
        .updateTable('invites')
        .set({ mailId, mailedAt: sql<string>`clock_timestamp()`, codeHash })
        .where('id', '=', inviteId)
        .execute()
      await enqueue(tx, { id: inviteId, email: live.email, mailId }, me)
    })
    const [invite] = await read(me, [inviteId])
    if (!invite) throw notFound('errors.inviteNotFound')
    return invite
  })
}
