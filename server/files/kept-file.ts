import { Readable } from 'node:stream'
import { sql, type Transaction } from 'kysely'
import type { Db } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'
import { unavailable } from '../errors.ts'
import { type Storage, storageKeyOf } from './storage.ts'

interface KeptFile {
  userId: string
  name: string
  /** WebP. */
  bytes: Buffer
}

/**
 * Stores a file that is in no list and of no channel, such as the picture of a person. Its row is committed before its bytes, so
 * that the sweep finds it if the process dies.
 * @param adopt refers to the file, in the transaction that keeps it; if it throws, the file is removed
 */
export async function keepFile<T>(
  { db, storage }: { db: Db; storage: Storage },
  { userId, name, bytes }: KeptFile,
  adopt: (tx: Transaction<DB>, fileId: string) => Promise<T>,
): Promise<T> {
  const fileId = newId()
  try {
    await writePending({ db, storage }, { userId, name, bytes }, fileId)
    return await db.transaction().execute(async (tx) => {
      const adopted = await adopt(tx, fileId)
      await adoptFile(tx, fileId)
      return adopted
    })
  } catch (error) {
    const pending = db
      .updateTable('files')
      .set({ state: 'gone' })
      .where('id', '=', fileId)
      .where('state', '=', 'pending')
    // If this fails, the sweep will later consider it abandoned.
    await pending.execute().catch(() => {})
    throw error
  }
}

/** Stores a file that is swept within minutes unless it is adopted. Returns its id. */
export async function writePending(
  { db, storage }: { db: Db; storage: Storage },
  { userId, name, bytes }: KeptFile,
  fileId = newId(),
): Promise<string> {
  const row = { id: fileId, userId, name, foldedName: name, type: 'image/webp', size: bytes.length }
  await db.insertInto('files').values(row).execute()
  await storage.write(storageKeyOf(fileId), Readable.from([bytes]))
  return fileId
}

/** Keeps a pending file. @param place the message it goes with, if there is one */
export async function adoptFile(tx: Transaction<DB>, fileId: string, place?: { channelId: string; messageId: string }) {
  const { numUpdatedRows } = await tx
    .updateTable('files')
    .set({ state: 'kept', touchedAt: sql`clock_timestamp()`, ...place })
    .where('id', '=', fileId)
    .where('state', '=', 'pending')
    .executeTakeFirst()
  // The upload took so long that it was swept.
  if (numUpdatedRows === 0n) throw unavailable('the upload stalled and was swept')
}

/** The byte range of a part among several that lie one after the other in a file. */
export function rangeOf(sizes: readonly number[], index: number) {
  const start = sizes.slice(0, index).reduce((sum, size) => sum + size, 0)
  const length = sizes[index] as number
  return { start, length, total: sizes.reduce((sum, size) => sum + size, 0) }
}
