import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import { avatarSizes } from '#contract/avatars'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { unauthenticated } from '../errors.ts'
import { bumpPeopleVersion } from '../people/deactivate.ts'
import { keepFile } from './kept-file.ts'
import type { Storage } from './storage.ts'

/**
 * Stores a person's picture in all sizes as one file, replacing the previous one.
 * @throws AppError 401 if the person was deactivated in the meantime
 */
export async function storeAvatar(services: { db: Db; storage: Storage }, me: string, squares: Buffer[]) {
  const bytes = Buffer.concat(squares)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  const sizes = squares.map(({ length }) => length)
  const avatarUrl = `/api/avatars/${encodeURIComponent(me)}/${hash}/${Math.max(...avatarSizes)}`
  return keepFile(services, { userId: me, name: 'avatar.webp', bytes }, async (tx, fileId) => {
    const peopleVersion = await bumpPeopleVersion(tx)
    await lockActive(tx, me)
    const values = { fileId, hash, sizes }
    await tx
      .insertInto('avatars')
      .values({ userId: me, ...values })
      .onConflict((conflict) => conflict.column('userId').doUpdateSet(values))
      .execute()
    await tx.updateTable('users').set({ image: avatarUrl }).where('id', '=', me).execute()
    return { avatarUrl, peopleVersion }
  })
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
