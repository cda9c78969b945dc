import { sql, type Transaction } from 'kysely'
import { lockChannel } from '../channels/revision.ts'
import type { DB } from '../db/schema.ts'
import { conflict, noSuchFile } from '../errors.ts'
import { type AttachedRow, selectFiles } from '../files/file-rows.ts'
import { channelRoom } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { type MessageRow, presentMessage } from './message-rows.ts'
import { type NewMessage, retryKeyRace, type SendResult, storeMessage } from './store-messages.ts'
import { readMessage } from './update-message.ts'

/** Stores a message with its files in one transaction. */
export async function sendWithFiles(services: Services, message: NewMessage, fileIds: string[]): Promise<SendResult> {
  const { people, publish, writer } = services
  return retryKeyRace(() =>
    writer.change(
      message.channelId,
      async (tx) => {
        await lockChannel(tx, message.channelId)
        const stored = await storeMessage(tx, message)
        if (!stored.isNew) return stored
        return { ...stored, message: await attachFiles(tx, stored.message, fileIds) }
      },
      async (stored) => {
        if (stored.isNew)
          publish(channelRoom(message.channelId), 'message:created', await presentMessage(people, stored.message))
      },
    ),
  )
}

/**
 * Attaches uploaded files to a new message, which makes them visible to its readers.
 * @throws AppError 400 `no_such_file` if a file is missing, of another user or of another channel; 409 `file_attached` if it
 * belongs to another message
 */
export async function attachFiles(tx: Transaction<DB>, message: MessageRow, fileIds: string[]): Promise<MessageRow> {
  if (fileIds.length === 0) return message
  const found = await selectFiles(tx)
    .select('files.scheduledId')
    .where('id', 'in', fileIds)
    .where('userId', '=', message.userId)
    .where('channelId', '=', message.channelId)
    .orderBy('id')
    .forUpdate()
    .execute()
  const byId = new Map(found.map((file) => [file.id, file]))
  const files = fileIds.map((id) => {
    const file = byId.get(id)
    if (!file) throw noSuchFile()
    if (file.messageId) throw conflict('file_attached', 'errors.fileAttached')
    if (file.scheduledId) throw conflict('file_attached', 'errors.fileScheduled')
    return file
  })
  await tx.updateTable('files').set({ messageId: message.id, isShown: true }).where('id', 'in', fileIds).execute()
  await tx.updateTable('messages').set(fileColumn(files)).where('id', '=', message.id).execute()
  return readMessage(tx, message.id)
}

export const fileColumn = (files: AttachedRow[]) => ({
  files: JSON.stringify(
    files.map(({ id, name, type, size, width, height, thumbnailSize, createdAt }) => {
      return { id, name, type, size, width, height, thumbnailSize, createdAt }
    }),
  ),
})

/** Hides files; the next sweep deletes their bytes. */
export const markFilesGone = (tx: Transaction<DB>, by: 'id' | 'messageId', id: string) =>
  tx
    .updateTable('files')
    .set({ state: 'gone', isShown: false, messageId: null, touchedAt: sql`clock_timestamp()` })
    .where(by, '=', id)
    .execute()
