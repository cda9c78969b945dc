import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { can } from '#contract/can'
import { getRetention, liftHold, placeHold, previewRetention, type Retention, setRetention } from '#contract/retention'
import { readableChannel } from '../../access/access.ts'
import { isReadableBy } from '../../access/readable-channels.ts'
import { sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { newId } from '../../db/ids.ts'
import type { DB } from '../../db/schema.ts'
import { conflict, forbidden, invalidField, notFound } from '../../errors.ts'
import { roleOf } from '../../people/profiles.ts'
import { lockHolds } from '../../retention/due-channels.ts'
import { previewRemoval } from '../../retention/preview-removal.ts'
import { route } from '../../route.ts'

/** Retention rules and holds. For the workspace's owner, and only for channels that they can read. */
export default async function retention(app: FastifyInstance) {
  const { db, doors, people, retention } = app

  const requireOwner = async (me: string) => {
    if (!can.setRetention({ id: me, role: await roleOf(db, me) })) throw forbidden()
  }

  async function read(me: string): Promise<Retention> {
    const { retentionDays: days } = await db.selectFrom('workspace').select('retentionDays').executeTakeFirstOrThrow()
    const channels = await db
      .selectFrom('channels')
      .select(['id', 'name', (row) => row.ref('retentionDays').$notNull().as('days')])
      .where('retentionDays', 'is not', null)
      .where('deletedAt', 'is', null)
      .where(isReadableBy(me))
      .orderBy('name')
      .execute()
    const holds = await db
      .selectFrom('holds')
      .leftJoin('channels', (join) => join.onRef('channels.id', '=', 'holds.channelId').on(isReadableBy(me)))
      .select(['holds.id', 'holds.userId', 'holds.reason', 'holds.createdBy', 'holds.createdAt'])
      .select(['channels.id as channelId', 'channels.name'])
      .orderBy('holds.createdAt')
      .execute()
    const userOf = await people.namesOf(
      holds.flatMap(({ userId, createdBy }) => [createdBy, ...(userId ? [userId] : [])]),
    )
    return {
      days,
      channels,
      holds: holds.map(({ channelId, name, userId, createdBy, ...hold }) => ({
        ...hold,
        channel: channelId && name !== null ? { id: channelId, name } : null,
        person: userId === null ? null : userOf(userId),
        createdBy: userOf(createdBy),
      })),
    }
  }

  route(app, getRetention, async ({ me }) => {
    await requireOwner(me)
    return read(me)
  })

  route(app, previewRetention, async ({ body: { days, channelId }, me }) => {
    await requireOwner(me)
    if (channelId) await readableChannel(doors, me, channelId)
    return previewRemoval(db, days, channelId)
  })

  route(app, setRetention, async ({ body: { days, channelId }, me, request }) => {
    await requireOwner(me)
    if (!channelId && days === 0) throw invalidField('days', 'errors.keepsNothing')
    const channel = channelId ? await readableChannel(doors, me, channelId) : undefined
    await db.transaction().execute(async (tx) => {
      if (channel) await tx.updateTable('channels').set({ retentionDays: days }).where('id', '=', channel.id).execute()
      else await tx.updateTable('workspace').set({ retentionDays: days }).execute()
      await writeAudit(tx, { kind: 'retention_changed', actorId: me, channel, details: { days }, ...sourceOf(request) })
    })
    retention.wake()
    return read(me)
  })

  route(app, placeHold, async ({ body: { channelId, userId, reason }, me, request }) => {
    await requireOwner(me)
    if ((channelId === undefined) === (userId === undefined)) throw invalidField('channelId', 'errors.holdOne')
    const channel = channelId ? await readableChannel(doors, me, channelId) : undefined
    if (userId !== undefined) {
      const user = db.selectFrom('users').select('id').where('id', '=', userId)
      if (!(await user.executeTakeFirst())) throw notFound('errors.userNotFound')
    }
    await db.transaction().execute(async (tx) => {
      await lockHolds(tx)
      const { numInsertedOrUpdatedRows } = await tx
        .insertInto('holds')
        .values({ id: newId(), channelId: channelId ?? null, userId: userId ?? null, reason, createdBy: me })
        .onConflict((it) => it.doNothing())
        .executeTakeFirst()
      if (!numInsertedOrUpdatedRows) throw conflict('already_held', 'errors.alreadyHeld')
      await writeAudit(tx, {
        kind: 'hold_placed',
        actorId: me,
        personId: userId ?? null,
        channel,
        ...sourceOf(request),
      })
    })
    return read(me)
  })

  route(app, liftHold, async ({ params, me, request }) => {
    await requireOwner(me)
    await db.transaction().execute(async (tx) => {
      await lockHolds(tx)
      const lifted = await tx
        .deleteFrom('holds')
        .where('id', '=', params.holdId)
        .returning(['channelId', 'userId'])
        .executeTakeFirst()
      if (!lifted) throw notFound('errors.holdNotFound')
      const channel = lifted.channelId === null ? undefined : await anyChannel(tx, lifted.channelId)
      await writeAudit(tx, {
        kind: 'hold_lifted',
        actorId: me,
        personId: lifted.userId,
        channel,
        ...sourceOf(request),
      })
      // Scan again what was held. Locks channels in the order of ids, as sends do.
      const { channelId } = lifted
      const held = tx
        .selectFrom('channels')
        .select('id')
        .where('expiredBefore', 'is not', null)
        .$if(channelId !== null, (query) => query.where('id', '=', channelId as string))
        .orderBy('id')
        .forNoKeyUpdate()
      const ids = (await held.execute()).map(({ id }) => id)
      if (ids.length > 0) await tx.updateTable('channels').set({ expiredBefore: null }).where('id', 'in', ids).execute()
    })
    retention.wake()
    return read(me)
  })
}

const anyChannel = (tx: Transaction<DB>, id: string) =>
  tx.selectFrom('channels').select(['id', 'kind', 'name']).where('id', '=', sql<string>`${id}`).executeTakeFirst()
