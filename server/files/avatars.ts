import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { sql, type Transaction } from 'kysely'
import { avatarSizes } from '#contract/avatars'
import type { Db } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'
import { unauthenticated, unavailable } from '../errors.ts'
import { bumpPeopleVersion } from '../people/deactivate.ts'
import { type Storage, storageKeyOf } from './storage.ts'

const NAME = 'avatar.webp'

/**
 * Stores a person's picture in all sizes as one file, replacing the previous one. The file's row is committed before its bytes,
 * so that the sweep finds it if the process dies.
 * @throws AppError 401 if the person was deactivated in the meantime
 */
export async function storeAvatar({ db, storage }: { db: Db; storage: Storage }, me: string, squares: Buffer[]) {
  const fileId = newId()
  const sizes = squares.map(({ length }) => length)
  const bytes = Buffer.concat(squares)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  const avatarUrl = `/api/avatars/${encodeURIComponent(me)}/${hash}/${Math.max(...avatarSizes)}`
  await db.insertInto('files').values({ id: fileId, userId: me, name: NAME, foldedName: NAME }).execute()
  try {
    await storage.write(storageKeyOf(fileId), Readable.from([bytes]))
    return await db.transaction().execute(async (tx) => {
      const peopleVersion = await bumpPeopleVersion(tx)
      await lockActive(tx, me)
      const { numUpdatedRows } = await tx
        .updateTable('files')
        .set({ state: 'kept', type: 'image/webp', size: bytes.length, touchedAt: sql`clock_timestamp()` })
        .where('id', '=', fileId)
        .where('state', '=', 'pending')
        .executeTakeFirst()
      // The upload took so long that it was swept.
      if (numUpdatedRows === 0n) throw unavailable('the upload stalled and was swept')
      const values = { fileId, hash, sizes }
      await tx
        .insertInto('avatars')
        .values({ userId: me, ...values })
        .onConflict((conflict) => conflict.column('userId').doUpdateSet(values))
        .execute()
      await tx.updateTable('users').set({ image: avatarUrl }).where('id', '=', me).execute()
      return { avatarUrl, peopleVersion }
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

/** Removes a person's picture; the sweep deletes its bytes. Undefined if there is none. */
export async function removeStoredAvatar(db: Db, me: string) {
  // A new version of the people empties the caches of all nodes.
  if (!(await db.selectFrom('avatars').select('userId').where('userId', '=', me).executeTakeFirst())) return undefined
  return db.transaction().execute(async (tx) => {
    const peopleVersion = await bumpPeopleVersion(tx)
    await lockActive(tx, me)
    const { numDeletedRows } = await tx.deleteFrom('avatars').where('userId', '=', me).executeTakeFirst()
    return numDeletedRows > 0n ? { avatarUrl: null, peopleVersion } : undefined
  })
}

async function lockActive(tx: Transaction<DB>, me: string) {
  const person = tx.selectFrom('users').select('deactivatedAt').where('id', '=', me).forNoKeyUpdate()
  if ((await person.executeTakeFirst())?.deactivatedAt !== null) throw unauthenticated()
}

/** The byte range of a size in the stored file. */
export function sliceOf(sizes: readonly number[], side: (typeof avatarSizes)[number]) {
  const index = avatarSizes.indexOf(side)
  const start = sizes.slice(0, index).reduce((sum, size) => sum + size, 0)
  const length = sizes[index] as number
  return { start, length, total: sizes.reduce((sum, size) => sum + size, 0) }
}
