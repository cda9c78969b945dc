import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { can } from '#contract/can'
import { problem } from '#contract/errors'
import { createInvite, type Invite, listInvites, revokeInvite } from '#contract/invites'
import { limits } from '#contract/limits'
import { lockActiveUsers } from '../../channels/memberships.ts'
import type { Db } from '../../db/database.ts'
import { newId } from '../../db/ids.ts'
import type { DB } from '../../db/schema.ts'
import { conflict, forbidden, notFound, unauthenticated } from '../../errors.ts'
import { hashOf, liveInvites, newInviteCode } from '../../identity/sign-up-policy.ts'
import { roleOf } from '../../people/profiles.ts'
import { route } from '../../route.ts'

export default async function invites(app: FastifyInstance) {
  const { db } = app
  const requireManager = async (me: string, within: Db | Transaction<DB> = db) => {
    if (!can.manageWorkspace({ id: me, role: await roleOf(within, me) })) throw forbidden()
  }
  const presentInvite = ({
    userId,
    username,
    name,
    ...invite
  }: Awaited<ReturnType<typeof readInvites>>[number]): Invite => ({
    ...invite,
    createdBy: { id: userId, username, name },
  })
  const readInvites = () => liveInvites(db).orderBy('invites.createdAt', 'desc').limit(limits.invite.live).execute()

  route(app, listInvites, async ({ me }) => {
    await requireManager(me)
    return (await readInvites()).map(presentInvite)
  })

  route(app, createInvite, async ({ body: { days, maxUses }, me }) => {
    const [id, code] = [newId(), newInviteCode()]
    await db.transaction().execute(async (tx) => {
      // Serializes creations, so that the maximum holds.
      await tx.selectFrom('workspace').select('id').forNoKeyUpdate().execute()
      // A deactivation revokes the user's invites, so they must not create another.
      if ((await lockActiveUsers(tx, [me])).size === 0) throw unauthenticated()
      await requireManager(me, tx)
      const live = await liveInvites(tx).select('invites.id').limit(limits.invite.live).execute()
      if (live.length >= limits.invite.live)
        throw conflict('too_many_invites', problem('errors.tooManyInvites', { max: limits.invite.live }))
      const expiresAt = sql<string>`clock_timestamp() + make_interval(days => ${days})`
      await tx
        .insertInto('invites')
        .values({ id, codeHash: hashOf(code), createdBy: me, maxUses, expiresAt })
        .execute()
    })
    const created = await liveInvites(db).where('invites.id', '=', id).executeTakeFirstOrThrow()
    return { ...presentInvite(created), code }
  })

  route(app, revokeInvite, async ({ params, me }) => {
    await requireManager(me)
    const { numUpdatedRows } = await db
      .updateTable('invites')
      .set({ revokedAt: sql<string>`clock_timestamp()` })
      .where('id', '=', params.inviteId)
      .where('revokedAt', 'is', null)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw notFound('errors.inviteNotFound')
    return undefined
  })
}
