import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { createInvite, listInvites, revokeInvite } from '#contract/invites'
import { limits } from '#contract/limits'
import { actAs, sourceOf } from '../../audit/write-audit.ts'
import { newId } from '../../db/ids.ts'
import { notFound } from '../../errors.ts'
import { hashOf, newLinkCode } from '../../identity/sign-up-policy.ts'
import { route } from '../../route.ts'
import { mountInviteMails } from './invite-mails.ts'
import { beginInviting, presentInvite, requireManager, selectInvites, storeInvites } from './invite-rows.ts'

export default async function invites(app: FastifyInstance) {
  const { db } = app

  route(app, listInvites, async ({ me }) => {
    const viewer = await requireManager(db, me)
    const rows = await selectInvites(db, me).orderBy('invites.createdAt', 'desc').limit(limits.invite.live).execute()
    return rows.map((row) => presentInvite(viewer, row))
  })

  route(app, createInvite, async ({ body: { maxUses, ...offer }, me, request }) => {
    const [id, code] = [newId(), newLinkCode()]
    const creator = await db.transaction().execute(async (tx) => {
      await actAs(tx, me, sourceOf(request))
      const creator = await beginInviting(tx, me)
      await storeInvites(tx, me, [{ id, codeHash: hashOf(code), maxUses }], offer)
      return creator
    })
    const created = await selectInvites(db, me).where('invites.id', '=', id).executeTakeFirstOrThrow()
    return { ...presentInvite(creator, created), code }
  })

  route(app, revokeInvite, async ({ params, me, request }) => {
    await requireManager(db, me)
    const revoked = await db.transaction().execute(async (tx) => {
      await actAs(tx, me, sourceOf(request))
      const revoked = await tx
        .updateTable('invites')
        .set({ revokedAt: sql<string>`clock_timestamp()` })
        .where('id', '=', params.inviteId)
        .where('revokedAt', 'is', null)
        .returning('mailId')
        .executeTakeFirst()
      if (revoked?.mailId) await tx.deleteFrom('mails').where('id', '=', revoked.mailId).execute()
      return revoked
    })
    if (!revoked) throw notFound('errors.inviteNotFound')
    return undefined
  })

  mountInviteMails(app)
}
