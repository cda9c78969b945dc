import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { can } from '#contract/can'
import { problem } from '#contract/errors'
import { deleteMessage, editMessage, listMessages, type Message, sendMessage } from '#contract/messages'
import { editReply } from '#contract/threads'
import { memberChannel, memberMessage, readableChannel } from '../../access/access.ts'
import { conflict, forbidden, invalid, invalidField } from '../../errors.ts'
import { fileColumn, markFilesGone, sendWithFiles } from '../../messages/attachments.ts'
import { resolveMentions } from '../../messages/mentions.ts'
import { presentMessage } from '../../messages/message-rows.ts'
import { followMentioned, removeReplyFromParent, sendToThread } from '../../messages/replies.ts'
import { lockMessage, mentionColumns, saveMentions, updateMessage } from '../../messages/update-message.ts'
import { roleOf } from '../../people/profiles.ts'
import { channelRoom } from '../../realtime.ts'
import { type HandlerInput, route } from '../../route.ts'
import { deleteSearchText, writeSearchText } from '../../search/search-text.ts'
import { finishSend } from './finish-send.ts'
import { createPages } from './pages.ts'

export default async function messages(app: FastifyInstance) {
  const { doors, people, publish, writer } = app
  const loadPage = createPages(app)

  route(app, listMessages, async ({ params, query, me, request }) => {
    const channel = await readableChannel(doors, me, params.channelId)
    return loadPage(me, channel, query, request.headers['if-none-match'])
  })

  route(app, sendMessage, async ({ body, me, reply }) => {
    const { channelId, content, threadId, clientId = null, fileIds = [] } = body
    if (threadId) {
      const parent = await memberMessage(app, me, threadId)
      if (parent.channel.id !== channelId) throw invalidField('threadId', 'errors.inAnotherChannel')
      const newReply = { channelId, parentId: threadId, content, clientId, fileIds }
      return finishSend(app, reply, await sendToThread(app, me, newReply))
    }
    const mentions = await resolveMentions(app, channelId, content)
    // The writer checks membership under its lock; the door only picks the refusal, which depends on the channel's kind.
    const message = { channelId, userId: me, content, clientId, mentions }
    const sending = fileIds.length > 0 ? sendWithFiles(app, message, fileIds) : writer.send(message)
    const sent = await sending.catch(async (error) => {
      if (error.code === 'not_a_member' || error.code === 'not_found') await memberChannel(doors, me, channelId)
      throw error
    })
    return finishSend(app, reply, sent)
  })

  route(app, editMessage, edit)
  route(app, editReply, edit)

  async function edit({ params, body, me }: HandlerInput<typeof editMessage>) {
    const { channel } = await memberMessage(app, me, params.messageId)
    const mentions = await resolveMentions(app, channel.id, body.content)
    const edited = await writer.change(
      channel.id,
      async (tx) => {
        const { message } = await lockMessage(tx, me, channel.id, params.messageId)
        if (!can.editMessage({ id: me }, message)) throw forbidden()
        if (message.deletedAt) throw conflict('deleted', 'errors.messageDeleted')
        if (isChangedMeanwhile(message, body)) throw conflict('edit_conflict', 'errors.editConflict')
        if (body.content === '' && message.files.length === 0)
          throw invalid('errors.emptyMessage', { content: problem('errors.empty') })
        await saveMentions(tx, message, mentions)
        const columns = { content: body.content, editedAt: sql<string>`clock_timestamp()`, ...mentionColumns(mentions) }
        const edited = await updateMessage(tx, message, columns)
        await writeSearchText(tx, edited)
        await followMentioned(tx, message, edited)
        return edited
      },
      async (row) => publish(channelRoom(channel.id), 'message:updated', await presentMessage(people, row)),
    )
    return presentMessage(people, edited)
  }

  route(app, deleteMessage, async ({ params, me }) => {
    const { channel } = await memberMessage(app, me, params.messageId)
    await writer.change(
      channel.id,
      async (tx) => {
        const { channel: locked, message } = await lockMessage(tx, me, channel.id, params.messageId)
        const role = await roleOf(tx, me)
        if (!can.deleteMessage({ id: me, role }, message, locked)) throw forbidden()
        if (message.deletedAt) return undefined
        await saveMentions(tx, message, null)
        await deleteSearchText(tx, message.id)
        await tx.deleteFrom('reactions').where('messageId', '=', message.id).execute()
        await markFilesGone(tx, 'messageId', message.id)
        const empty = { content: '', reactions: '[]', ...mentionColumns(null), ...fileColumn([]) }
        const tombstone = await updateMessage(tx, message, { ...empty, deletedAt: sql<string>`clock_timestamp()` })
        return { tombstone, parent: await removeReplyFromParent(tx, tombstone) }
      },
      async (deleted) => {
        if (!deleted) return
        const parent = deleted.parent && (await presentMessage(people, deleted.parent))
        const tombstone = await presentMessage(people, deleted.tombstone)
        publish(channelRoom(channel.id), 'message:deleted', { ...tombstone, ...(parent && { parent }) })
      },
    )
    return undefined
  })
}

/** The same text is no conflict: the request may repeat one whose response was lost. */
const isChangedMeanwhile = (
  message: Pick<Message, 'content' | 'editedAt'>,
  { content, editedAt }: { content: string; editedAt?: string | null | undefined },
) => editedAt !== undefined && editedAt !== message.editedAt && content !== message.content
