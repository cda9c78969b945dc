import type { FastifyInstance } from 'fastify'
import { can } from '#contract/can'
import { downloadPreviewPicture, removeLinkPreview } from '#contract/link-previews'
import { memberMessage, readablePreviewPicture } from '../../access/access.ts'
import { forbidden } from '../../errors.ts'
import { requireVoice } from '../../messages/may-post.ts'
import { previewColumn } from '../../messages/message-previews.ts'
import { presentMessage } from '../../messages/message-rows.ts'
import { lockMessage, updateMessage } from '../../messages/update-message.ts'
import { dropPictures } from '../../previews/link-previews.ts'
import { channelRoom } from '../../realtime/rooms.ts'
import { byteRoute, route } from '../../route.ts'
import { sendPicture } from '../people/pictures.ts'

export default async function linkPreviews(app: FastifyInstance) {
  const { people, publish, writer } = app

  route(app, removeLinkPreview, async ({ params: { messageId }, query: { url }, me }) => {
    const { channel } = await memberMessage(app, me, messageId)
    const { message } = await writer.change(
      channel.id,
      async (tx) => {
        const { message } = await lockMessage(tx, me, channel.id, messageId)
        if (!can.editMessage({ id: me }, message)) throw forbidden()
        await requireVoice(tx, me, channel.id, 'change')
        const removed = message.previews?.find((preview) => preview.url === url && !preview.isRemoved)
        if (!removed || !message.previews) return { message, isChanged: false }
        await dropPictures(tx, [removed])
        // It is kept, so that an edit doesn't bring it back.
        const without = { url, title: '', description: '', site: '', picture: null, isRemoved: true }
        const previews = message.previews.map((preview) => (preview === removed ? without : preview))
        return { message: await updateMessage(tx, message, previewColumn(previews)), isChanged: true }
      },
      async ({ message, isChanged }) => {
        if (isChanged) publish(channelRoom(channel.id), 'message:updated', await presentMessage(people, message))
      },
    )
    return presentMessage(people, message)
  })

  byteRoute(app, downloadPreviewPicture, async ({ params: { pictureId }, me, request, reply }) => {
    const { size } = await readablePreviewPicture(app, me, pictureId)
    const range = { start: 0, length: size, total: size }
    return sendPicture(app, request, reply, { fileId: pictureId, etag: `"${pictureId}"`, range })
  })
}
