import type { FastifyInstance } from 'fastify'
import { can } from '#contract/can'
import { deleteFile, fileKinds, fileLimits, listChannelFiles, listFiles, listUserFiles } from '#contract/files'
import { fold } from '#contract/fold'
import { readableChannel, readableFile } from '../../access/access.ts'
import { isReadable } from '../../access/readable-channels.ts'
import { sourceOf, writeAudit } from '../../audit/write-audit.ts'
import { lockChannel } from '../../channels/revision.ts'
import { archived, conflict, forbidden } from '../../errors.ts'
import { presentFile, selectFiles } from '../../files/file-rows.ts'
import { fileColumn, markFilesGone } from '../../messages/attachments.ts'
import { presentMessage } from '../../messages/message-rows.ts'
import { readMessage, updateMessage } from '../../messages/update-message.ts'
import { readPerson } from '../../people/profiles.ts'
import { channelRoom } from '../../realtime/rooms.ts'
import { route } from '../../route.ts'
import { containsPattern } from '../../text/like-pattern.ts'
import { mountDownloads } from './download.ts'
import { mountUpload } from './upload.ts'

const MEDIA = fileKinds.filter((kind) => kind !== 'document')

export default async function files(app: FastifyInstance) {
  const { db, doors, people, publish, writer } = app

  /** A page of visible files. Ids are ordered by time. */
  const newest = ({ before, limit }: { before?: string | undefined; limit: number }) =>
    selectFiles(db)
      .where('files.isShown', '=', true)
      .$if(before !== undefined, (query) => query.where('files.id', '<', before as string))
      .orderBy('files.id', 'desc')
      .limit(limit)

  const readable = (me: string, page: Parameters<typeof newest>[0]) =>
    newest(page)
      .innerJoin('channels', 'channels.id', 'files.channelId')
      .leftJoin('memberships', (join) =>
        join.onRef('memberships.channelId', '=', 'channels.id').on('memberships.userId', '=', me),
      )
      .where('channels.deletedAt', 'is', null)
      .where(isReadable(me))

  route(app, fileLimits, async () => ({ size: app.config.maxFileSize }))

  route(app, listFiles, async ({ query, me }) => {
    const { name = '', kind } = query
    const words = fold(name).split(' ').filter(Boolean)
    const found = await readable(me, query)
      .$if(words.length > 0, (it) =>
        it.where((eb) => eb.and(words.map((word) => eb('files.foldedName', 'like', containsPattern(word))))),
      )
      .$if(kind !== undefined, (it) =>
        kind === 'document'
          ? it.where((eb) => eb.and(MEDIA.map((family) => eb('files.type', 'not like', `${family}/%`))))
          : it.where('files.type', 'like', `${kind}/%`),
      )
      .execute()
    return found.map(presentFile)
  })

  route(app, listChannelFiles, async ({ params, query, me }) => {
    const found = await newest(query).where('files.channelId', '=', params.channelId).execute()
    // Checked last: a user who was removed during the read must not see later files.
    await readableChannel(doors, me, params.channelId)
    return found.map(presentFile)
  })

  route(app, listUserFiles, async ({ params, query, me }) =>
    (await readable(me, query).where('files.userId', '=', params.userId).execute()).map(presentFile),
  )

  route(app, deleteFile, async ({ params, me, request }) => {
    const file = await readableFile(app, me, params.fileId)
    await writer.change(
      file.channelId,
      async (tx) => {
        const channel = await lockChannel(tx, file.channelId)
        const person = await readPerson(tx, me)
        if (!can.deleteFile(person, file)) throw forbidden()
        // As with messages: only moderators may remove something from an archive.
        if (channel.archivedAt && !can.moderate(person)) throw archived()
        // Read again under the lock: it may have been sent since, or its message deleted.
        const current = await selectFiles(tx)
          .select('files.scheduledId')
          .where('files.id', '=', file.id)
          .forUpdate()
          .executeTakeFirst()
        if (current?.scheduledId) throw conflict('file_attached', 'errors.fileScheduled')
        if (file.userId !== me) {
          const about = { personId: file.userId, channel }
          await writeAudit(tx, { kind: 'file_deleted', actorId: me, ...about, ...sourceOf(request) })
        }
        await markFilesGone(tx, 'id', file.id)
        if (!current?.messageId) return undefined
        const message = await readMessage(tx, current.messageId)
        return updateMessage(tx, message, fileColumn(message.files.filter(({ id }) => id !== file.id)))
      },
      async (message) => {
        if (message) publish(channelRoom(message.channelId), 'message:updated', await presentMessage(people, message))
      },
    )
    return undefined
  })

  await mountUpload(app)
  mountDownloads(app)
}
