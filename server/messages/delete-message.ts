import { sql, type Transaction } from 'kysely'
import type { DB } from '../db/schema.ts'
import { channelRoom } from '../realtime/rooms.ts'
import { deleteSearchText } from '../search/search-text.ts'
import type { Services } from '../services.ts'
import { fileColumn, markFilesGone } from './attachments.ts'
import { type MessageRow, presentMessage } from './message-rows.ts'
import { deleteVersions } from './message-versions.ts'
import { removeReplyFromParent } from './replies.ts'
import { mentionColumns, saveMentions, updateMessage } from './update-message.ts'

/** Replaces a message of a locked channel by a tombstone. */
export async function leaveTombstone(tx: Transaction<DB>, message: MessageRow) {
  await saveMentions(tx, message, null)
  await deleteSearchText(tx, message.id)
  await deleteVersions(tx, message.id)
  await tx.deleteFrom('reactions').where('messageId', '=', message.id).execute()
  await markFilesGone(tx, 'messageId', message.id)
  const empty = {
    content: '',
    reactions: '[]',
    pinnedAt: null,
    pinnedBy: null,
    previews: null,
    ...mentionColumns(null),
    ...fileColumn([]),
  }
  const tombstone = await updateMessage(tx, message, { ...empty, deletedAt: sql<string>`clock_timestamp()` })
  return { tombstone, parent: await removeReplyFromParent(tx, tombstone) }
}

export async function publishTombstone(
  { people, publish }: Services,
  deleted: Awaited<ReturnType<typeof leaveTombstone>>,
) {
  const parent = deleted.parent && (await presentMessage(people, deleted.parent))
  const tombstone = await presentMessage(people, deleted.tombstone)
  publish(channelRoom(tombstone.channelId), 'message:deleted', { ...tombstone, ...(parent && { parent }) })
}
