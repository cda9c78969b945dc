import type { FastifyInstance } from 'fastify'
import { can } from '#contract/can'
import { ASSISTANT } from '#contract/ids'
import { limits } from '#contract/limits'
import type { Role } from '#contract/roles'
import { listAccounts } from '#contract/workspace'
import { forbidden } from '../../errors.ts'
import { roleOf, selectProfiles, withStatus } from '../../people/profiles.ts'
import { route } from '../../route.ts'
import { containsPattern } from '../../text/like-pattern.ts'

/** Accounts, for the workspace's owner and admins. */
export default async function workspace(app: FastifyInstance) {
  const { db, presence } = app

  route(app, listAccounts, async ({ query: { query }, me }) => {
    if (!can.manageWorkspace({ role: await roleOf(db, me) })) throw forbidden()
    let people = selectProfiles(db)
      .select([
        'users.email',
        'users.role',
        'users.createdAt',
        'users.twoFactorEnabled as hasSecondFactor',
        'users.guestUntil',
        'users.mutedUntil',
      ])
      .where('users.id', '<>', ASSISTANT)
      .where('users.erasedAt', 'is', null)
    if (query) {
      const like = containsPattern(query)
      people = people.where((row) =>
        row.or([row('username', 'ilike', like), row('name', 'ilike', like), row('email', 'ilike', like)]),
      )
    }
    const rows = await people.orderBy('username').limit(limits.people).execute()
    return rows.map((row) => ({
      ...row,
      ...withStatus(presence, row),
      email: row.email,
      role: row.role as Role,
    }))
  })
}
