import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Db } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'
import { keepFile } from './kept-file.ts'
import type { Storage } from './storage.ts'

/**
 * Stores an emoji of the workspace.
 * @param pictures the still one and, if it moves, the moving one
 * @param check throws if the person may not add it; called in the transaction
 */
export async function storeEmoji(
  services: { db: Db; storage: Storage },
  { name, userId, pictures }: { name: string; userId: string; pictures: Buffer[] },
  check: (tx: Transaction<DB>) => Promise<void>,
) {
  const bytes = Buffer.concat(pictures)
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
  const sizes = pictures.map(({ length }) => length)
  await keepFile(services, { userId, name: 'emoji.webp', bytes }, async (tx, fileId) => {
    await check(tx)
    const id = newId()
    await tx.insertInto('emoji').values({ id, fileId, hash, sizes, createdBy: userId }).execute()
    await tx.insertInto('emoji_names').values({ name, emojiId: id, isAlias: false }).execute()
  })
}
