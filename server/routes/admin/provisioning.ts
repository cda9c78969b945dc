import type { FastifyInstance } from 'fastify'
import { type Kysely, sql, type Transaction } from 'kysely'
import { can } from '#contract/can'
import { problem } from '#contract/errors'
import { limits } from '#contract/limits'
import { createProvisioningToken, listProvisioningTokens, revokeProvisioningToken } from '#contract/provisioning'
import { sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { lockActiveUsers } from '../../channels/memberships.ts'
import { newId } from '../../db/ids.ts'
import type { DB } from '../../db/schema.ts'
import { conflict, forbidden, notFound, unauthenticated } from '../../errors.ts'
import { roleOf } from '../../people/profiles.ts'
import { route } from '../../route.ts'
import { newToken, tokenHash } from '../../scim/tokens.ts'

/** Manages the tokens that directories use to provision people. */
export default async function provisioning(app: FastifyInstance) {
  const { db } = app
  const requireOwner = async (me: string, within: Kysely<DB> | Transaction<DB> = db) => {
    if (!can.manageProvisioning({ role: await roleOf(within, me) })) throw forbidden()
  }
  const selectTokens = (within: Kysely<DB> | Transaction<DB>) =>
    within
      .selectFrom('provisioning_tokens')
      .select(['id', 'name', 'createdAt', 'lastUsedAt'])
      .where('revokedAt', 'is', null)
      .orderBy('createdAt', 'desc')

  route(app, listProvisioningTokens, async ({ me }) => {
    await requireOwner(me)
    return selectTokens(db).execute()
  })

  route(app, createProvisioningToken, async ({ body: { name }, me, request }) => {
    const token = newToken()
    const created = await db.transaction().execute(async (tx) => {
      // Serializes creations, so that the maximum holds.
      await tx.selectFrom('workspace').select('id').forNoKeyUpdate().execute()
      if ((await lockActiveUsers(tx, [me])).size === 0) throw unauthenticated()
      await requireOwner(me, tx)
      const max = limits.provisioning.tokens
      if ((await selectTokens(tx).execute()).length >= max)
        throw conflict('too_many_tokens', problem('errors.tooManyTokens', { max }))
      const created = await tx
        .insertInto('provisioning_tokens')
        .values({ id: newId(), name, tokenHash: tokenHash(token), createdBy: me })
        .returning(['id', 'name', 'createdAt', 'lastUsedAt'])
        .executeTakeFirstOrThrow()
      await writeAudit(tx, {
        kind: 'provisioning_token_created',
        actorId: me,
        details: { token: name },
        ...sourceOf(request),
      })
      return created
    })
    return { ...created, token }
  })

  route(app, revokeProvisioningToken, async ({ params, me, request }) => {
    await db.transaction().execute(async (tx) => {
      await requireOwner(me, tx)
      const revoked = await tx
        .updateTable('provisioning_tokens')
        .set({ revokedAt: sql<string>`clock_timestamp()` })
        .where('id', '=', params.tokenId)
        .where('revokedAt', 'is', null)
        .returning('name')
        .executeTakeFirst()
      if (!revoked) throw notFound('errors.tokenNotFound')
      await writeAudit(tx, {
        kind: 'provisioning_token_revoked',
        actorId: me,
        details: { token: revoked.name },
        ...sourceOf(request),
      })
    })
    return undefined
  })
}
