import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { can } from '#contract/can'
import { problem } from '#contract/errors'
import { deleteMessage, editMessage, listMessages, type Message, readMessages, sendMessage } from '#contract/messages'
import { editReply } from '#contract/threads'
import { memberChannel, memberMessage, readableAmong, readableChannel } from '../../access/access.ts'
import { sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { archived, conflict, forbidden, invalid, invalidField } from '../../errors.ts'
import { sendWithFiles } from '../../messages/attachments.ts'
import { leaveTombstone, publishTombstone } from '../../messages/delete-message.ts'
import { requireBroadcast, requireVoice } from '../../messages/may-post.ts'
import { resolveMentions } from '../../messages/mentions.ts'
import { presentMessage, presentMessages, selectMessages } from '../../messages/message-rows.ts'
import { keepVersion } from '../../messages/message-versions.ts'
import { followMentioned, sendToThread } from '../../messages/replies.ts'
import { lockMessage, mentionColumns, saveMentions, updateMessage } from '../../messages/update-message.ts'
import { readPerson } from '../../people/profiles.ts'
import { keepPreviews } from '../../previews/link-previews.ts'
import { channelRoom } from '../../realtime/rooms.ts'
import { type HandlerInput, route } from '../../route.ts'
import { writeSearchText } from '../../search/search-text.ts'
import { finishSend } from './finish-send.ts'
import { createPages } from './pages.ts'

export default async function messages(app: FastifyInstance) {
  const { db, doors, people, publish, turns, writer } = app
  const loadPage = createPages(app)

  route(app, listMessages, async ({ params, query, me, request }) => {
    const channel = await readableChannel(doors, me, params.channelId)
    return loadPage(me, channel, query, request.headers['if-none-match'])
  })

  route(app, { ...readMessages, rate: 'reads' }, ({ body: { messageIds }, me }) =>
    turns(me, async () => {
      if (messageIds.length === 0) return []
      const rows = await selectMessages(db).where('messages.id', 'in', messageIds).execute()
      return readableAmong(doors, me, await presentMessages(people, rows))
    }),
  )

  route(app, { ...sendMessage, rate: 'sends' }, async ({ body, me, reply }) => {
    const { channelId, content, threadId, clientId = null, fileIds = [], alsoToChannel } = body
    if (threadId) {
      const parent = await memberMessage(app, me, threadId)
      if (parent.channel.id !== channelId) throw invalidField('threadId', 'errors.inAnotherChannel')
      const newReply = { channelId, parentId: threadId, content, clientId, fileIds, alsoToChannel }
      return finishSend(app, reply, await sendToThread(app, me, newReply))
    }
    const mentions = await resolveMentions(app, me, channelId, content)
    await requireBroadcast(app, me, channelId, mentions, clientId)
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

  async function edit({ params, body, me, request }: HandlerInput<typeof editMessage>) {
    const { channel } = await memberMessage(app, me, params.messageId)
    const mentions = await resolveMentions(app, me, channel.id, body.content)
    const edited = await writer.change(
      channel.id,
      async (tx) => {
        const { message } = await lockMessage(tx, me, channel.id, params.messageId)
        if (!can.editMessage({ id: me }, message)) throw forbidden()
        // An edit needs the same permission as a new message.
        await requireVoice(tx, me, channel.id, message.threadId ? 'reply' : 'post')
        if (message.broadcast !== mentions?.broadcast) await requireBroadcast(app, me, channel.id, mentions, null)
        if (message.deletedAt) throw conflict('deleted', 'errors.messageDeleted')
        if (isChangedMeanwhile(message, body)) throw conflict('edit_conflict', 'errors.editConflict')
        if (body.content === '' && message.files.length === 0)
          throw invalid('errors.emptyMessage', { content: problem('errors.empty') })
        const isChanged = body.content !== message.content
        if (isChanged) await keepVersion(tx, message)
        await saveMentions(tx, message, mentions)
        const columns = {
          content: body.content,
          ...(isChanged && { editedAt: sql<string>`clock_timestamp()` }),
          ...mentionColumns(mentions),
          ...(await keepPreviews(tx, message, body.content)),
        }
        const edited = await updateMessage(tx, message, columns)
        await writeSearchText(tx, edited)
        await followMentioned(tx, message, edited)
        return edited
      },
      async (row) => publish(channelRoom(channel.id), 'message:updated', await presentMessage(people, row)),
    )
    app.linkPreviews.onMessage(edited, request.caller.origins)
    return presentMessage(people, edited)
  }

  route(app, deleteMessage, async ({ params, me, request }) => {
    const { channel } = await memberMessage(app, me, params.messageId)
    await writer.change(
      channel.id,
      async (tx) => {
        const { channel: locked, message } = await lockMessage(tx, me, channel.id, params.messageId)
        const person = await readPerson(tx, me)
        if (!can.deleteMessage(person, message, locked)) throw forbidden()
        if (message.deletedAt) return undefined
        // Only moderators may remove something from an archive.
        if (locked.archivedAt && !can.moderate(person)) throw archived()
        if (message.userId !== me) {
          const about = { personId: message.userId, channel: locked }
          await writeAudit(tx, { kind: 'message_deleted', actorId: me, ...about, ...sourceOf(request) })
        }
        return leaveTombstone(tx, message)
      },
      async (deleted) => deleted && publishTombstone(app, deleted),
    )
    return undefined
  })
}

/** The same text is not a conflict: the request may repeat one whose response was lost. */
const isChangedMeanwhile = (
  message: Pick<Message, 'content' | 'editedAt'>,
  { content, editedAt }: { content: string; editedAt?: string | null | undefined },
) => editedAt !== undefined && editedAt !== message.editedAt && content !== message.content
