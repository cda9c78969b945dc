import { randomUUID } from 'node:crypto'
import { type Kysely, sql, type Transaction } from 'kysely'
import type { ScheduledMessage } from '#contract/scheduled-messages'
import type { DB } from '../db/schema.ts'
import { presentFile, selectFiles } from '../files/file-rows.ts'

const columns = [
  'id',
  'userId',
  'channelId',
  'channelName',
  'threadId',
  'content',
  'clientId',
  'fileIds',
  'rev',
  'createdAt',
  'sendAt',
  'failure',
  'alsoToChannel',
] as const

export const selectScheduled = (db: Kysely<DB> | Transaction<DB>) => db.selectFrom('scheduled_messages').select(columns)

export type ScheduledRow = Awaited<ReturnType<ReturnType<typeof selectScheduled>['executeTakeFirstOrThrow']>>

/** A random key: readers of the message see it, and must not learn when it was written. */
export const newScheduledKey = () => randomUUID()

/** Whether a message of somebody was sent under a key. */
export async function isKeyTaken(tx: Transaction<DB>, userId: string, clientId: string) {
  const sent = tx.selectFrom('messages').select('id').where('userId', '=', userId).where('clientId', '=', clientId)
  return (await sent.executeTakeFirst()) !== undefined
}

/** Makes the files of a message unsent ones, which can be sent with another message. */
export const freeFiles = (tx: Transaction<DB>, { id, fileIds }: Pick<ScheduledRow, 'id' | 'fileIds'>) =>
  fileIds.length > 0 &&
  tx
    .updateTable('files')
    .set({ scheduledId: null, touchedAt: sql<string>`clock_timestamp()` })
    .where('scheduledId', '=', id)
    .execute()

/** The messages as their author sees them. */
export async function presentScheduled(
  db: Kysely<DB> | Transaction<DB>,
  rows: ScheduledRow[],
): Promise<ScheduledMessage[]> {
  const ids = rows.flatMap(({ id, fileIds }) => (fileIds.length > 0 ? [id] : []))
  const files = ids.length > 0 ? await selectFiles(db).where('scheduledId', 'in', ids).execute() : []
  const byId = new Map(files.map((file) => [file.id, presentFile(file)]))
  return rows.map(({ userId: _, fileIds, failure, ...row }) => ({
    ...row,
    files: fileIds.flatMap((id) => byId.get(id) ?? []),
    failure: failure as ScheduledMessage['failure'],
  }))
}
