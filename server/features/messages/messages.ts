import type { FastifyInstance } from 'fastify'
import { sql, type Transaction } from 'kysely'
import { can } from '#contract/can'
import { deleteMessage, editMessage, listMessages, type Message, sendMessage } from '#contract/messages'
import type { Role } from '#contract/users'
import { memberChannel, messageFor, readableChannel } from '../../access.ts'
import type { DB } from '../../db/schema.ts'
import { conflict, forbidden, notFound } from '../../errors.ts'
import { isMember } from '../../memberships.ts'
import { type MessageRow, selectMessages, withAuthors } from '../../message-rows.ts'
import { channelRoom } from '../../realtime.ts'
import { lockChannel, moveRev } from '../../rev.ts'
import { route } from '../../route.ts'
import { createPages } from './pages.ts'

export default async function messages(app: FastifyInstance) {
  const { db, doors, people, publish, writer } = app
  const page = createPages(db, people)

  route(app, listMessages, async ({ params, query }, me, _, request) => {
    const channel = await readableChannel(doors, me, params.channelId)
    return page(channel, query, request.headers['if-none-match'])
  })

  route(app, sendMessage, async ({ body }, me, reply) => {
    const { channelId, content, clientId = null } = body
    // The writer judges membership itself, under its lock; the door only words the refusal, by the channel's kind.
    const { message, isNew } = await writer.send({ channelId, userId: me, content, clientId }).catch(async (error) => {
      if (error.code === 'not_a_member' || error.code === 'not_found') await memberChannel(doors, me, channelId)
      throw error
    })
    if (!isNew) reply.status(200)
    return withAuthor(message)
  })

  route(app, editMessage, async ({ params, body }, me) => {
    const { id: channelId } = await messageFor(app, me, params.messageId)
    const edited = await writer.change(
      channelId,
      async (tx) => {
        const { message } = await locked(tx, me, channelId, params.messageId)
        if (!can.editMessage({ id: me }, message)) throw forbidden()
        if (message.deletedAt) throw conflict('deleted', 'The message was deleted')
        return rewrite(tx, message, { content: body.content, editedAt: sql<string>`clock_timestamp()` })
      },
      async (row) => publish(channelRoom(channelId), 'message:updated', await withAuthor(row)),
    )
    return withAuthor(edited)
  })

  route(app, deleteMessage, async ({ params }, me) => {
    const { id: channelId } = await messageFor(app, me, params.messageId)
    const { role } = await db.selectFrom('users').select('role').where('id', '=', me).executeTakeFirstOrThrow()
    await writer.change(
      channelId,
      async (tx) => {
        const { channel, message } = await locked(tx, me, channelId, params.messageId)
        if (!can.deleteMessage({ id: me, role: role as Role }, message, channel)) throw forbidden()
        if (message.deletedAt) return undefined
        return rewrite(tx, message, { content: '', deletedAt: sql<string>`clock_timestamp()` })
      },
      async (row) => row && publish(channelRoom(channelId), 'message:deleted', await withAuthor(row)),
    )
    return undefined
  })

  const withAuthor = async (row: MessageRow) => (await withAuthors(people, [row]))[0] as Message
}

/** Locks the channel, then reads the message as it is, for those who are in the channel still. */
async function locked(tx: Transaction<DB>, me: string, channelId: string, messageId: string) {
  const channel = await lockChannel(tx, channelId)
  if (!(await isMember(tx, channelId, me))) throw notFound('Message')
  const message = await selectMessages(tx).where('messages.id', '=', messageId).executeTakeFirstOrThrow()
  return { channel, message }
}

/** Changes a message under the channel's next revision. */
async function rewrite(tx: Transaction<DB>, { id, channelId }: MessageRow, to: Record<string, unknown>) {
  const { rev } = await moveRev(tx, channelId)
  await tx
    .updateTable('messages')
    .set({ ...to, rev, updatedAt: sql`clock_timestamp()` })
    .where('id', '=', id)
    .execute()
  return selectMessages(tx).where('messages.id', '=', id).executeTakeFirstOrThrow()
}
