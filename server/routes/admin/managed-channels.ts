import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { can } from '#contract/can'
import { PUBLIC_FILES } from '#contract/channel-name'
import { limits } from '#contract/limits'
import {
  archiveChannel,
  deleteArchivedChannel,
  listManagedChannels,
  listPrivateChannels,
  restoreChannel,
} from '#contract/managed-channels'
import { actAs, sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { isGeneral } from '../../channels/channel-rows.ts'
import { removeChannel } from '../../channels/remove-channel.ts'
import { lockChannel } from '../../channels/revision.ts'
import { publishChannel, updateLockedChannel } from '../../channels/update-channel.ts'
import type { DB } from '../../db/schema.ts'
import { conflict, everyoneStays, forbidden, notFound } from '../../errors.ts'
import { roleOf } from '../../people/profiles.ts'
import { type HandlerInput, route } from '../../route.ts'
import { containsPattern } from '../../text/like-pattern.ts'

/** Lists the channels of the workspace, archives and restores them, and deletes archived ones. */
export default async function managedChannels(app: FastifyInstance) {
  const { db, doors, writer } = app

  route(app, listManagedChannels, async ({ query: { query }, me }) => {
    const role = await roleOf(db, me)
    if (!can.manageWorkspace({ role })) throw forbidden()
    const { listsPrivateChannels: listsPrivate } = await readWorkspace()
    const kinds = can.listPrivateChannels({ role }, listsPrivate) ? ['public', 'private'] : ['public']
    let found = db
      .selectFrom('channels')
      .leftJoin('users', 'users.id', 'channels.ownerId')
      .select(['channels.id', 'channels.name', 'kind', 'memberCount as members', 'channels.createdAt', 'archivedAt'])
      .select(['users.id as ownerId', 'username', 'users.name as ownerName', isGeneral])
      .where('channels.deletedAt', 'is', null)
      .where('kind', 'in', kinds)
      .where('channels.name', '<>', PUBLIC_FILES)
    if (query) found = found.where('channels.name', 'ilike', containsPattern(query))
    const rows = await found.orderBy(sql`lower(channels.name)`).limit(limits.people).execute()
    const channels = rows.map(({ ownerId, username, ownerName, kind, ...channel }) => ({
      ...channel,
      kind: kind as 'public' | 'private',
      owner: ownerId && username && ownerName ? { id: ownerId, username, name: ownerName } : null,
    }))
    return { channels, listsPrivate }
  })

  route(app, listPrivateChannels, async ({ body: { listsPrivate }, me, request }) => {
    await db.transaction().execute(async (tx) => {
      if (!can.setPermissions({ id: me, role: await roleOf(tx, me) })) throw forbidden()
      await tx.updateTable('workspace').set({ listsPrivateChannels: listsPrivate }).execute()
      const details = { listsPrivate }
      await writeAudit(tx, { kind: 'private_channels_listed', actorId: me, details, ...sourceOf(request) })
    })
    return undefined
  })

  route(app, archiveChannel, (input) => setArchived(input, true))
  route(app, restoreChannel, (input) => setArchived(input, false))

  async function setArchived({ params, me, request }: HandlerInput<typeof archiveChannel>, isArchived: boolean) {
    const { id } = await manageableChannel(me, params.channelId)
    const change = async (tx: Transaction<DB>) => {
      const channel = await lockChannel(tx, id)
      if (channel.isGeneral) throw everyoneStays('errors.generalNotArchived')
      if (!can.archive({ id: me, role: await roleOf(tx, me) }, channel)) throw forbidden()
      if ((channel.archivedAt !== null) === isArchived) return { archivedAt: channel.archivedAt }
      const kind = isArchived ? 'channel_archived' : 'channel_restored'
      await writeAudit(tx, { kind, actorId: me, channel, ...sourceOf(request) })
      const archivedAt = isArchived ? sql<string>`clock_timestamp()` : null
      const changed = await updateLockedChannel(app, tx, id, { archivedAt })
      return { changed, archivedAt: changed.archivedAt }
    }
    const { archivedAt } = await writer.change(id, change, ({ changed }) => changed && publishChannel(app, changed))
    return { id, archivedAt: archivedAt ?? null }
  }

  route(app, deleteArchivedChannel, async ({ params, me, request }) => {
    const { id } = await manageableChannel(me, params.channelId)
    await removeChannel(app, id, async (tx) => {
      await actAs(tx, me, sourceOf(request))
      const channel = await lockChannel(tx, id)
      const person = { id: me, role: await roleOf(tx, me) }
      if (!can.manageWorkspace(person) || !can.archive(person, channel)) throw forbidden()
      if (!channel.archivedAt) throw conflict('not_archived', 'errors.notArchived')
    })
    return undefined
  })

  const readWorkspace = () => db.selectFrom('workspace').select('listsPrivateChannels').executeTakeFirstOrThrow()

  /**
   * The door to a channel for its readers, and for the owner of a workspace that lists private channels.
   * @throws AppError 404 for all others
   */
  async function manageableChannel(me: string, channelId: string) {
    const channel = await doors.load({ channelId, userId: me })
    if (!channel) throw notFound('errors.channelNotFound')
    const isListed = async () =>
      channel.kind === 'private' &&
      can.listPrivateChannels(channel.viewer, (await readWorkspace()).listsPrivateChannels)
    if (!can.readIn(channel.viewer, channel) && !(await isListed())) throw notFound('errors.channelNotFound')
    return channel
  }
}
