import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { can } from '#contract/can'
import { deleteMessage, editMessage, listMessages, type Message, sendMessage } from '#contract/messages'
import { editReply } from '#contract/threads'
import { memberChannel, memberMessage, readableChannel } from '../../access/access.ts'
import { conflict, forbidden, invalid } from '../../errors.ts'
import { fileColumn, markFilesGone, sendWithFiles } from '../../messages/attachments.ts'
import { resolveMentions } from '../../messages/mentions.ts'
import { presentMessage } from '../../messages/message-rows.ts'
import { followMentioned, removeReplyFromParent, sendToThread } from '../../messages/replies.ts'
import { lockMessage, mentionColumns, saveMentions, updateMessage } from '../../messages/update-message.ts'
import { roleOf } from '../../people/profiles.ts'
import { channelRoom } from '../../realtime.ts'
import { type HandlerInput, route } from '../../route.ts'
import { deleteSearchText, writeSearchText } from '../../search/search-text.ts'
import { answerSent } from './answer-sent.ts'
import { createPages } from './pages.ts'

export default async function messages(app: FastifyInstance) {
  const { doors, people, publish, writer } = app
  const page = createPages(app)

  route(app, listMessages, async ({ params, query, me, request }) => {
    const channel = await readableChannel(doors, me, params.channelId)
    return page(me, channel, query, request.headers['if-none-match'])
  })

  route(app, sendMessage, async ({ body, me, reply }) => {
    const { channelId, content, threadId, clientId = null, fileIds = [] } = body
    if (threadId) {
      const parent = await memberMessage(app, me, threadId)
      if (parent.channel.id !== channelId)
        throw invalid('threadId is not in this channel', { threadId: 'is in another channel' })
      const draft = { channelId, parentId: threadId, content, clientId, fileIds }
      return answerSent(app, reply, await sendToThread(app, me, draft))
    }
    const mentions = await resolveMentions(app, channelId, content)
    // The writer judges membership itself, under its lock; the door only words the refusal, by the channel's kind.
    const draft = { channelId, userId: me, content, clientId, mentions }
    const sending = fileIds.length > 0 ? sendWithFiles(app, draft, fileIds) : writer.send(draft)
    const sent = await sending.catch(async (error) => {
      if (error.code === 'not_a_member' || error.code === 'not_found') await memberChannel(doors, me, channelId)
      throw error
    })
    return answerSent(app, reply, sent)
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
        if (message.deletedAt) throw conflict('deleted', 'The message was deleted')
        if (isChangedMeanwhile(message, body))
          throw conflict('edit_conflict', 'The message was changed in the meantime')
        if (body.content === '' && message.files.length === 0)
          throw invalid('content must not be empty', { content: 'must not be empty' })
        await saveMentions(tx, message, mentions)
        const to = { content: body.content, editedAt: sql<string>`clock_timestamp()`, ...mentionColumns(mentions) }
        const edited = await updateMessage(tx, message, to)
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
        const nothing = { content: '', reactions: '[]', ...mentionColumns(null), ...fileColumn([]) }
        const tombstone = await updateMessage(tx, message, { ...nothing, deletedAt: sql<string>`clock_timestamp()` })
        return { tombstone, parent: await removeReplyFromParent(tx, tombstone) }
      },
      async (done) => {
        if (!done) return
        const parent = done.parent && (await presentMessage(people, done.parent))
        const tombstone = await presentMessage(people, done.tombstone)
        publish(channelRoom(channel.id), 'message:deleted', { ...tombstone, ...(parent && { parent }) })
      },
    )
    return undefined
  })
}

/** The same text is no other one: it is what a repeat whose answer was lost brings again. */
const isChangedMeanwhile = (
  message: Pick<Message, 'content' | 'editedAt'>,
  { content, editedAt }: { content: string; editedAt?: string | null | undefined },
) => editedAt !== undefined && editedAt !== message.editedAt && content !== message.content
