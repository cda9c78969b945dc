import { createHash } from 'node:crypto'
import type { Transaction } from 'kysely'
import type { Db } from '../db/database.ts'
import { newId } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'
import { adoptFile, keepFile, writePending } from './kept-file.ts'
import type { Storage } from './storage.ts'

export interface NewEmoji {
  /** The first one and further ones. */
  names: string[]
  userId: string
  /** The still one and, if it moves, the moving one. */
  pictures: Buffer[]
  importId?: string
  createdAt?: string
}

/**
 * Stores an emoji of the workspace.
 * @param check throws if the person may not add it; called in the transaction
 */
export async function storeEmoji(
  services: { db: Db; storage: Storage },
  emoji: NewEmoji,
  check: (tx: Transaction<DB>) => Promise<void>,
) {
  await keepFile(services, fileOf(emoji), async (tx, fileId) => {
    await check(tx)
    await insertEmoji(tx, [{ ...emoji, fileId }])
  })
}

/** Stores the pictures of an emoji, which are swept unless `adoptEmoji` follows within minutes. Returns the file's id. */
export const storePictures = (services: { db: Db; storage: Storage }, emoji: NewEmoji) =>
  writePending(services, fileOf(emoji))

/** Stores emoji whose pictures are stored. */
export async function adoptEmoji(tx: Transaction<DB>, emoji: (NewEmoji & { fileId: string })[]) {
  if (emoji.length === 0) return
  await insertEmoji(tx, emoji)
  for (const { fileId } of emoji) await adoptFile(tx, fileId)
}

const fileOf = ({ userId, pictures }: NewEmoji) => ({ userId, name: 'emoji.webp', bytes: Buffer.concat(pictures) })

async function insertEmoji(tx: Transaction<DB>, emoji: (NewEmoji & { fileId: string })[]) {
  const rows = emoji.map(({ names, userId, pictures, ...more }) => ({
    names,
    row: {
      ...{ id: newId(), createdBy: userId, hash: hashOf(pictures), sizes: pictures.map(({ length }) => length) },
      ...more,
    },
  }))
  await tx
    .insertInto('emoji')
    .values(rows.map(({ row }) => row))
    .execute()
  await tx
    .insertInto('emoji_names')
    .values(
      rows.flatMap(({ names, row }) => names.map((name, index) => ({ name, emojiId: row.id, isAlias: index > 0 }))),
    )
    .execute()
}

const hashOf = (pictures: Buffer[]) => createHash('sha256').update(Buffer.concat(pictures)).digest('hex').slice(0, 32)
