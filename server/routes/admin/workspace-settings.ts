import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { can } from '#contract/can'
import type { SignUpMode } from '#contract/identity'
import { getLinkPreviewRule, setLinkPreviewRule } from '#contract/link-previews'
import { setEditHistory } from '#contract/message-versions'
import { setWorkspaceLevel } from '#contract/notifications'
import type { Role } from '#contract/roles'
import { getSignUp, renameWorkspace, setSignUp, setUpWorkspace } from '#contract/workspace'
import { sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { lockActiveUsers } from '../../channels/memberships.ts'
import type { DB } from '../../db/schema.ts'
import { conflict, forbidden, unauthenticated } from '../../errors.ts'
import { readEntry } from '../../identity/workspace-entry.ts'
import { roleOf } from '../../people/profiles.ts'
import { route } from '../../route.ts'

interface Change {
  tx: Transaction<DB>
  me: string
  request: FastifyRequest
}

/** Settings of the workspace: its name, who may sign up, link previews, edit history, notifications, and the owner's first screen. */
export default async function workspaceSettings(app: FastifyInstance) {
  const { db, config, pollSoon } = app

  /** Changes the workspace, alone. @throws AppError 401, 403 */
  const change = (me: string, isAllowed: (person: { id: string; role: Role }) => boolean, act: Act) =>
    db.transaction().execute(async (tx) => {
      await tx.selectFrom('workspace').select('id').forNoKeyUpdate().executeTakeFirstOrThrow()
      if ((await lockActiveUsers(tx, [me])).size === 0) throw unauthenticated()
      if (!isAllowed({ id: me, role: await roleOf(tx, me) })) throw forbidden()
      await act(tx)
    })

  /** @throws AppError 409 `sign_up_fixed` */
  async function changeSignUp({ tx, me, request }: Change, signUp: SignUpMode) {
    const { signUp: before, isSignUpFixed } = await readEntry(tx, config)
    if (isSignUpFixed) throw conflict('sign_up_fixed', 'errors.signUpFixed')
    await tx.updateTable('workspace').set({ signUp }).execute()
    if (signUp === before) return
    const details = { from: before, to: signUp }
    await writeAudit(tx, { kind: 'sign_up_changed', actorId: me, details, ...sourceOf(request) })
  }

  route(app, renameWorkspace, async ({ body: { name }, me, request }) => {
    await change(me, can.renameWorkspace, (tx) => rename({ tx, me, request }, name))
    // Every node notifies its clients.
    pollSoon()
    return { name }
  })

  route(app, getSignUp, async ({ me }) => {
    if (!can.setSignUp({ role: await roleOf(db, me) })) throw forbidden()
    const { signUp, isSignUpFixed: isFixed } = await readEntry(db, config)
    return { signUp, isFixed }
  })

  route(app, setSignUp, async ({ body: { signUp }, me, request }) => {
    await change(me, can.setSignUp, (tx) => changeSignUp({ tx, me, request }, signUp))
    return { signUp, isFixed: false }
  })

  const { linkPreviews: isAllowed } = config

  route(app, getLinkPreviewRule, async ({ me }) => {
    if (!can.setLinkPreviews({ role: await roleOf(db, me) })) throw forbidden()
    const { linkPreviews } = await db.selectFrom('workspace').select('linkPreviews').executeTakeFirstOrThrow()
    return { isOn: isAllowed && linkPreviews, isFixed: !isAllowed }
  })

  route(app, setLinkPreviewRule, async ({ body: { isOn }, me, request }) => {
    await change(me, can.setLinkPreviews, async (tx) => {
      if (!isAllowed) throw conflict('link_previews_fixed', 'errors.linkPreviewsFixed')
      const { numUpdatedRows } = await tx
        .updateTable('workspace')
        .set({ linkPreviews: isOn })
        .where('linkPreviews', '<>', isOn)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return
      const details = { to: isOn ? 'on' : 'off' }
      await writeAudit(tx, { kind: 'link_previews_changed', actorId: me, details, ...sourceOf(request) })
    })
    return { isOn, isFixed: false }
  })

  route(app, setEditHistory, async ({ body: { isOn }, me, request }) => {
    await change(me, can.setEditHistory, async (tx) => {
      const { numUpdatedRows } = await tx
        .updateTable('workspace')
        // Open pages refetch the session, which says whether there is a history.
        .set({ keepsVersions: isOn, permissionsVersion: sql<number>`"permissionsVersion" + 1` })
        .where('keepsVersions', '<>', isOn)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return
      const details = { to: isOn ? 'on' : 'off' }
      await writeAudit(tx, { kind: 'edit_history_changed', actorId: me, details, ...sourceOf(request) })
    })
    pollSoon()
    return { isOn }
  })

  route(app, setWorkspaceLevel, async ({ body: { level }, me, request }) => {
    await change(me, can.setNotificationLevel, async (tx) => {
      const { notificationLevel: before } = await tx
        .selectFrom('workspace')
        .select('notificationLevel')
        .executeTakeFirstOrThrow()
      if (before === level) return
      await tx
        .updateTable('workspace')
        // Open pages refetch the session, which has the level.
        .set({ notificationLevel: level, permissionsVersion: sql<number>`"permissionsVersion" + 1` })
        .execute()
      const details = { from: before, to: level }
      await writeAudit(tx, { kind: 'notification_level_changed', actorId: me, details, ...sourceOf(request) })
    })
    pollSoon()
    return { level }
  })

  route(app, setUpWorkspace, async ({ body: { name, signUp }, me, request }) => {
    await change(me, can.setUpWorkspace, async (tx) => {
      const { isSetUp } = await readEntry(tx, config)
      // Completed in another tab, whose choices count.
      if (isSetUp) return
      if (name !== undefined) await rename({ tx, me, request }, name)
      if (signUp !== undefined) await changeSignUp({ tx, me, request }, signUp)
      await tx.updateTable('workspace').set({ isSetUp: true }).execute()
    })
    pollSoon()
    return undefined
  })
}

type Act = (tx: Transaction<DB>) => Promise<void>

async function rename({ tx, me, request }: Change, name: string) {
  const { name: before } = await tx.selectFrom('workspace').select('name').executeTakeFirstOrThrow()
  if (name === before) return
  await tx.updateTable('workspace').set({ name, nameVersion: sql<number>`"nameVersion" + 1` }).execute()
  const details = { from: before, to: name }
  await writeAudit(tx, { kind: 'workspace_renamed', actorId: me, details, ...sourceOf(request) })
}
