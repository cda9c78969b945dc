import type { FastifyInstance } from 'fastify'
import { type Kysely, sql, type Transaction } from 'kysely'
import { can } from '#contract/can'
import { limits } from '#contract/limits'
import { closeReport, listReports, reportMessage } from '#contract/moderation'
import type { Role } from '#contract/roles'
import { readableMessage } from '../../access/access.ts'
import { isReadableBy } from '../../access/readable-channels.ts'
import { sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { lockChannel } from '../../channels/revision.ts'
import { newId } from '../../db/ids.ts'
import type { DB } from '../../db/schema.ts'
import { conflict, forbidden, notFound, rateLimited } from '../../errors.ts'
import { leaveTombstone, publishTombstone } from '../../messages/delete-message.ts'
import { readMessage } from '../../messages/update-message.ts'
import { readPerson } from '../../people/profiles.ts'
import { route } from '../../route.ts'

/** `Retry-After` in seconds for somebody with too many open reports. */
const RETRY_AFTER = 3600

/** Admins neither see nor dismiss reports about themselves. The owner does, because nobody is above them. */
const judgesThemselves = ({ role }: { role: Role }) => role === 'owner'

/** Messages reported to the owner and the admins. Nobody else sees reports. */
export default async function reports(app: FastifyInstance) {
  const { db, writer } = app

  route(app, reportMessage, async ({ params, body: { reason }, me }) => {
    const { id } = await readableMessage(app, me, params.messageId)
    const message = await db
      .selectFrom('messages')
      .select(['userId', 'content', 'deletedAt'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!message) throw notFound('errors.messageNotFound')
    if (message.deletedAt) throw conflict('deleted', 'errors.messageDeleted')
    if (message.userId === me) throw forbidden()
    const { content } = message
    await db.transaction().execute(async (tx) => {
      // Serializes a person's reports, so that the maximum holds.
      await tx.selectFrom('users').select('id').where('id', '=', me).forNoKeyUpdate().execute()
      const mine = tx.selectFrom('reports').select('id').where('reporterId', '=', me)
      if (await mine.where('messageId', '=', id).executeTakeFirst()) return
      const open = mine.where('closedAt', 'is', null).limit(limits.reports.open)
      if ((await open.execute()).length >= limits.reports.open) throw rateLimited(RETRY_AFTER, 'errors.tooManyReports')
      await tx.insertInto('reports').values({ id: newId(), messageId: id, reporterId: me, content, reason }).execute()
    })
    return undefined
  })

  route(app, listReports, async ({ me }) => {
    const moderator = await requireModerator(db, me)
    const rows = await db
      .selectFrom('reports')
      .innerJoin('messages', 'messages.id', 'reports.messageId')
      .innerJoin('channels as place', 'place.id', 'messages.channelId')
      .innerJoin('users as author', 'author.id', 'messages.userId')
      .innerJoin('users as reporter', 'reporter.id', 'reports.reporterId')
      .leftJoin('channels', (join) => join.onRef('channels.id', '=', 'place.id').on(isReadableBy(me)))
      .where('reports.closedAt', 'is', null)
      .where('place.deletedAt', 'is', null)
      .$if(!judgesThemselves(moderator), (query) => query.where('author.id', '<>', me))
      .select(['reports.id', 'reports.createdAt', 'reports.reason', 'reports.content', 'messages.id as messageId'])
      .select(['messages.threadId', 'messages.deletedAt', 'channels.id as channelId', 'channels.name as channelName'])
      .select(['author.id as authorId', 'author.username as authorUsername', 'author.name as authorName'])
      .select(['reporter.id as reporterId', 'reporter.username as reporterUsername', 'reporter.name as reporterName'])
      .orderBy('reports.createdAt')
      .limit(limits.reports.listed)
      .execute()
    return rows.map((row) => ({
      ...row,
      isDeleted: row.deletedAt !== null,
      author: { id: row.authorId, username: row.authorUsername, name: row.authorName },
      reporter: { id: row.reporterId, username: row.reporterUsername, name: row.reporterName },
      channel: row.channelId !== null && row.channelName !== null ? { id: row.channelId, name: row.channelName } : null,
    }))
  })

  route(app, closeReport, async ({ params, body: { deletesMessage }, me, request }) => {
    await requireModerator(db, me)
    const report = await db
      .selectFrom('reports')
      .innerJoin('messages', 'messages.id', 'reports.messageId')
      .select(['messages.id as messageId', 'messages.channelId'])
      .where('reports.id', '=', params.reportId)
      .executeTakeFirst()
    if (!report) throw notFound('errors.reportNotFound')
    const { messageId, channelId } = report
    const close = async (tx: Transaction<DB>) => {
      const channel = await lockChannel(tx, channelId)
      const person = await requireModerator(tx, me)
      const message = await readMessage(tx, messageId)
      if (message.userId === me && !judgesThemselves(person)) throw notFound('errors.reportNotFound')
      const line = { actorId: me, personId: message.userId, channel, ...sourceOf(request) }
      let open = tx
        .updateTable('reports')
        .set({ closedAt: sql<string>`clock_timestamp()`, closedBy: me })
        .where('messageId', '=', messageId)
        .where('closedAt', 'is', null)
      if (!deletesMessage) open = open.where('id', '=', params.reportId)
      if ((await open.executeTakeFirst()).numUpdatedRows === 0n) return undefined
      if (!deletesMessage || message.deletedAt) {
        await writeAudit(tx, { kind: 'report_dismissed', ...line })
        return undefined
      }
      // A reader reported it, so this works even in channels that the moderator isn't in.
      if (!can.moderate(person)) throw forbidden()
      await writeAudit(tx, { kind: 'message_deleted', ...line })
      return leaveTombstone(tx, message)
    }
    await writer.change(channelId, close, async (deleted) => deleted && publishTombstone(app, deleted))
    return undefined
  })

  async function requireModerator(within: Kysely<DB> | Transaction<DB>, me: string) {
    const person = await readPerson(within, me)
    if (!can.manageWorkspace(person)) throw forbidden()
    return person
  }
}
