import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { answerHandover, getHandover, offerWorkspace, withdrawHandover } from '#contract/handover'
import { ASSISTANT } from '#contract/ids'
import { actAs, sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { lockActiveUsers } from '../../channels/memberships.ts'
import { lockChannel } from '../../channels/revision.ts'
import { publishChannel, updateLockedChannel } from '../../channels/update-channel.ts'
import type { Db } from '../../db/database.ts'
import { newId } from '../../db/ids.ts'
import type { DB } from '../../db/schema.ts'
import { conflict, forbidden, notFound } from '../../errors.ts'
import { confirmIdentity } from '../../identity/factors/confirm-identity.ts'
import { bumpPeopleVersion } from '../../people/deactivate.ts'
import { roleOf } from '../../people/profiles.ts'
import { everyone, userRoom } from '../../realtime/rooms.ts'
import { route } from '../../route.ts'

const VALID_DAYS = 7

/** Transfers the workspace to another person, once they have agreed. */
export default async function handover(app: FastifyInstance) {
  const { db, publish, writer } = app

  const tell = ({ from, to }: Parties) => publish([from.id, to.id].map(userRoom), 'handover:changed', {})

  route(app, getHandover, async ({ me }) => {
    const open = await openHandover(db)
    return { handover: open && [open.from.id, open.to.id].includes(me) ? open : null }
  })

  route(app, offerWorkspace, async ({ body: { userId, password }, me, sessionId, request }) => {
    if ((await roleOf(db, me)) !== 'owner') throw forbidden()
    await confirmIdentity(app, { userId: me, sessionId, password })
    const offered = await db.transaction().execute(async (tx) => {
      await bumpPeopleVersion(tx)
      const active = await lockActiveUsers(tx, [me, userId])
      if (!active.has(me) || (await roleOf(tx, me)) !== 'owner') throw forbidden()
      if (!active.has(userId) || userId === ASSISTANT) throw notFound('errors.userNotFound')
      if (userId === me || (await roleOf(tx, userId)) === 'guest') throw forbidden()
      if (await openHandover(tx)) throw conflict('handover_open', 'errors.handoverOpen')
      await tx.deleteFrom('handovers').execute()
      const expiresAt = sql<string>`clock_timestamp() + make_interval(days => ${VALID_DAYS})`
      await tx.insertInto('handovers').values({ id: newId(), fromId: me, toId: userId, expiresAt }).execute()
      await writeAudit(tx, { kind: 'handover_offered', actorId: me, personId: userId, ...sourceOf(request) })
      return openHandover(tx)
    })
    if (!offered) throw notFound('errors.handoverEnded')
    tell(offered)
    return offered
  })

  route(app, withdrawHandover, async ({ me, request }) => {
    const withdrawn = await db.transaction().execute(async (tx) => {
      const open = await takeHandover(tx, ({ from }) => from.id === me)
      const personId = open.to.id
      await writeAudit(tx, { kind: 'handover_withdrawn', actorId: me, personId, ...sourceOf(request) })
      return open
    })
    tell(withdrawn)
    return undefined
  })

  route(app, answerHandover, async ({ body: { accepts }, me, request }) => {
    const source = sourceOf(request)
    const { parties, peopleVersion } = await db.transaction().execute(async (tx) => {
      await actAs(tx, me, source)
      const peopleVersion = await bumpPeopleVersion(tx)
      const parties = await takeHandover(tx, ({ to }) => to.id === me)
      const personId = parties.from.id
      if (!accepts) {
        await writeAudit(tx, { kind: 'handover_declined', actorId: me, personId, ...source })
        return { parties, peopleVersion }
      }
      const active = await lockActiveUsers(tx, [me, personId])
      const roles = [await roleOf(tx, personId), await roleOf(tx, me)]
      if (!active.has(me) || roles[0] !== 'owner' || roles[1] === 'guest') throw notFound('errors.handoverEnded')
      await tx.updateTable('users').set({ role: 'admin' }).where('id', '=', personId).execute()
      // The trigger doesn't record a new owner, because the first one gets the role while signing in.
      const changedBy = sql<string>`pg_current_xact_id()`
      await tx.updateTable('users').set({ role: 'owner', changedBy }).where('id', '=', me).execute()
      await tx.updateTable('workspace').set({ ownerId: me }).execute()
      await writeAudit(tx, { kind: 'workspace_handed_over', actorId: me, personId, ...source })
      return { parties, peopleVersion }
    })
    tell(parties)
    if (!accepts) return undefined
    for (const each of [parties.from, parties.to])
      publish([everyone, userRoom(each.id)], 'user:updated', { ...each, peopleVersion })
    await handOverGeneral(parties)
    return undefined
  })

  /** Transfers #general as well, unless it belongs to somebody else. */
  async function handOverGeneral({ from, to }: Parties) {
    const { generalId } = await db.selectFrom('workspace').select('generalId').executeTakeFirstOrThrow()
    await writer.change(
      generalId,
      async (tx) => {
        const { ownerId } = await lockChannel(tx, generalId)
        if (ownerId !== from.id) return undefined
        return updateLockedChannel(app, tx, generalId, { ownerId: to.id })
      },
      (channel) => channel && publishChannel(app, channel),
    )
  }
}

interface Parties {
  from: Named
  to: Named
}

interface Named {
  id: string
  username: string
  name: string
}

async function openHandover(within: Db | Transaction<DB>) {
  const row = await within
    .selectFrom('handovers')
    .innerJoin('users as from', 'from.id', 'handovers.fromId')
    .innerJoin('users as to', 'to.id', 'handovers.toId')
    .where('from.role', '=', 'owner')
    .where('to.deactivatedAt', 'is', null)
    .where('to.role', '<>', 'guest')
    .where('expiresAt', '>', sql<string>`clock_timestamp()`)
    .select(['fromId', 'from.username as fromUsername', 'from.name as fromName'])
    .select(['toId', 'to.username as toUsername', 'to.name as toName', 'expiresAt'])
    .executeTakeFirst()
  return (
    row && {
      from: { id: row.fromId, username: row.fromUsername, name: row.fromName },
      to: { id: row.toId, username: row.toUsername, name: row.toName },
      expiresAt: row.expiresAt,
    }
  )
}

/** Ends the open handover. @throws AppError 404 if there is none for this user */
async function takeHandover(tx: Transaction<DB>, isMine: (parties: Parties) => boolean) {
  // Locks the row, so that of two concurrent answers only one counts.
  await tx.selectFrom('handovers').select('id').forUpdate().execute()
  const open = await openHandover(tx)
  if (!open || !isMine(open)) throw notFound('errors.handoverEnded')
  await tx.deleteFrom('handovers').execute()
  return open
}
