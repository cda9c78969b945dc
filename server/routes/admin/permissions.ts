import type { FastifyInstance } from 'fastify'
import type { Kysely, Transaction } from 'kysely'
import { can } from '#contract/can'
import {
  type ChangedPermissions,
  getPermissions,
  isDecidable,
  permissionTable,
  setPermissions,
} from '#contract/permission-table'
import type { Permission } from '#contract/permissions'
import { type Role, roles } from '#contract/roles'
import { sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { lockActiveUsers } from '../../channels/memberships.ts'
import type { DB } from '../../db/schema.ts'
import { forbidden, unauthenticated } from '../../errors.ts'
import { roleOf } from '../../people/profiles.ts'
import { route } from '../../route.ts'

/** Which roles may do what. */
export default async function permissions(app: FastifyInstance) {
  const { db, pollSoon } = app

  route(app, getPermissions, async ({ me }) => {
    if (!can.manageWorkspace({ role: await roleOf(db, me) })) throw forbidden()
    return permissionTable(await readChanged(db))
  })

  route(app, setPermissions, async ({ body, me, request }) => {
    const table = await db.transaction().execute(async (tx) => {
      // Serializes changes, so that concurrent ones are both kept.
      await tx.selectFrom('workspace').select('id').forNoKeyUpdate().execute()
      if ((await lockActiveUsers(tx, [me])).size === 0) throw unauthenticated()
      if (!can.setPermissions({ id: me, role: await roleOf(tx, me) })) throw forbidden()
      const before = await readChanged(tx)
      const after = { ...before, ...body }
      await tx
        .updateTable('workspace')
        .set({ permissions: JSON.stringify(after) })
        .execute()
      for (const line of differences(before, after))
        await writeAudit(tx, { kind: 'permissions_changed', actorId: me, details: line, ...sourceOf(request) })
      return permissionTable(after)
    })
    // Every node notifies its clients.
    pollSoon()
    return table
  })
}

async function readChanged(db: Kysely<DB> | Transaction<DB>): Promise<ChangedPermissions> {
  const { permissions } = await db.selectFrom('workspace').select('permissions').executeTakeFirstOrThrow()
  return permissions as ChangedPermissions
}

/** One audit line for each role that gains or loses a permission. */
function differences(before: ChangedPermissions, after: ChangedPermissions) {
  const [was, is] = [permissionTable(before), permissionTable(after)]
  return Object.keys(is).flatMap((name) => {
    const permission = name as Permission
    const isChanged = (role: Role) =>
      isDecidable(permission, role) && was[permission].includes(role) !== is[permission].includes(role)
    return roles.filter(isChanged).map((role) => ({ permission, role, isAllowed: is[permission].includes(role) }))
  })
}
