import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { can } from '#contract/can'
import { renameWorkspace } from '#contract/workspace'
import { sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { lockActiveUsers } from '../../channels/memberships.ts'
import { forbidden, unauthenticated } from '../../errors.ts'
import { roleOf } from '../../people/profiles.ts'
import { route } from '../../route.ts'

/** What the workspace is called. */
export default async function workspaceName(app: FastifyInstance) {
  const { db, pollSoon } = app

  route(app, renameWorkspace, async ({ body: { name }, me, request }) => {
    await db.transaction().execute(async (tx) => {
      const workspace = tx.selectFrom('workspace').select('name').forNoKeyUpdate()
      const { name: before } = await workspace.executeTakeFirstOrThrow()
      if ((await lockActiveUsers(tx, [me])).size === 0) throw unauthenticated()
      if (!can.renameWorkspace({ role: await roleOf(tx, me) })) throw forbidden()
      if (name === before) return
      await tx.updateTable('workspace').set({ name, nameVersion: sql<number>`"nameVersion" + 1` }).execute()
      const details = { from: before, to: name }
      await writeAudit(tx, { kind: 'workspace_renamed', actorId: me, details, ...sourceOf(request) })
    })
    // Every node notifies its clients.
    pollSoon()
    return { name }
  })
}
