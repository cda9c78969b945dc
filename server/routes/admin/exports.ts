import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { can } from '#contract/can'
import { createExport, deleteExport, downloadExport, type Export, listExports } from '#contract/exports'
import { limits } from '#contract/limits'
import { memberChannel } from '../../access/access.ts'
import { isReadableBy } from '../../access/readable-channels.ts'
import { sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { newId } from '../../db/ids.ts'
import { conflict, forbidden, invalidField, notFound } from '../../errors.ts'
import { archiveKeyOf } from '../../exports/export-jobs.ts'
import { contentDisposition } from '../../files/file-name.ts'
import { roleOf } from '../../people/profiles.ts'
import { byteRoute, route } from '../../route.ts'
import { sendContent } from '../files/download.ts'

/** Archives of what the user may read. Nobody else can see or download them. */
export default async function exports(app: FastifyInstance) {
  const { db, doors, exporting, storage } = app

  const mine = (me: string) =>
    db
      .selectFrom('exports')
      .leftJoin('channels', (join) =>
        join.onRef('channels.id', '=', 'exports.channelId').on('channels.deletedAt', 'is', null).on(isReadableBy(me)),
      )
      .where('exports.userId', '=', me)
      .selectAll('exports')
      .select(['channels.id as readableId', 'channels.name as channelName'])
      .select(sql<boolean>`coalesce(exports."expiresAt" <= clock_timestamp(), false)`.as('isOver'))

  async function readOne(me: string, id: string) {
    const row = await mine(me).where('exports.id', '=', id).executeTakeFirst()
    if (!row) throw notFound('errors.exportNotFound')
    return row
  }
  const present = ({
    readableId,
    channelName,
    scope,
    state,
    isOver: _,
    ...row
  }: Awaited<ReturnType<typeof readOne>>): Export => ({
    ...row,
    scope: scope as Export['scope'],
    state: state as Export['state'],
    channel: readableId && channelName !== null ? { id: readableId, name: channelName } : null,
  })

  /** Whether it is of a channel that its requester was removed from, or of a workspace that they no longer own. */
  async function isNoLongerMine(me: string, { scope, channelId }: { scope: string; channelId: string | null }) {
    if (scope === 'workspace') return !can.exportWorkspace({ id: me, role: await roleOf(db, me) })
    if (channelId === null) return false
    // Members of a deleted channel keep their archives.
    const left = db.selectFrom('channels').select('id').where('id', '=', channelId).where(isLeftBy(me))
    return (await left.executeTakeFirst()) !== undefined
  }

  route(app, listExports, async ({ me }) =>
    (await mine(me).orderBy('exports.createdAt', 'desc').execute()).map(present),
  )

  route(app, createExport, async ({ body: { scope, channelId }, me, request }) => {
    if ((scope === 'channel') !== (channelId !== undefined)) throw invalidField('channelId', 'errors.exportChannel')
    if (scope === 'workspace' && !can.exportWorkspace({ id: me, role: await roleOf(db, me) })) throw forbidden()
    const channel = channelId === undefined ? undefined : await memberChannel(doors, me, channelId)
    if (channel && !can.exportChannel({ id: me }, channel)) throw forbidden()
    const id = newId()
    await db
      .transaction()
      .execute(async (tx) => {
        await tx
          .insertInto('exports')
          .values({ id, userId: me, scope, channelId: channelId ?? null })
          .execute()
        const details = { scope }
        await writeAudit(tx, { kind: 'export_started', actorId: me, channel, details, ...sourceOf(request) })
      })
      .catch((error) => {
        if (error.constraint === 'exports_oneLive') throw conflict('export_running', 'errors.exportRunning')
        throw error
      })
    for (const old of (await mine(me).orderBy('exports.createdAt', 'desc').execute()).slice(limits.exports.kept))
      await remove(old)
    exporting.wake()
    return present(await readOne(me, id))
  })

  route(app, deleteExport, async ({ params, me, request }) => {
    const row = await readOne(me, params.exportId)
    await remove(row)
    await writeAudit(db, {
      kind: 'export_deleted',
      actorId: me,
      details: { scope: row.scope },
      ...sourceOf(request),
    })
    return undefined
  })

  byteRoute(app, downloadExport, async ({ params, me, request, reply }) => {
    const row = await readOne(me, params.exportId)
    if (row.state !== 'done' || row.isOver || !row.archiveId || row.size === null)
      throw notFound('errors.exportNotFound')
    if (await isNoLongerMine(me, row)) throw notFound('errors.exportNotFound')
    // Parts are logged as well, since together they are the archive.
    if (request.method === 'GET')
      await writeAudit(db, {
        kind: 'export_downloaded',
        actorId: me,
        details: { scope: row.scope, bytes: row.size },
        ...sourceOf(request),
      })
    return sendContent(app, request, reply, {
      key: archiveKeyOf(row.archiveId),
      size: row.size,
      etag: `"${row.archiveId}"`,
      type: 'application/zip',
      disposition: contentDisposition(`parley-${row.createdAt.slice(0, 10)}.zip`, false),
    })
  })

  /** Deletes the row first: a node that is writing the archive notices, and discards it. */
  async function remove({ id, archiveId }: { id: string; archiveId: string | null }) {
    await db.deleteFrom('exports').where('id', '=', id).execute()
    if (archiveId) await storage.remove([archiveKeyOf(archiveId)])
  }
}

const isLeftBy = (me: string) =>
  sql<boolean>`not exists (select from memberships own where own."channelId" = channels.id and own."userId" = ${me})`
