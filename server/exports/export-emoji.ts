import { sql } from 'kysely'
import { can } from '#contract/can'
import type { Db } from '../db/database.ts'
import { rangeOf } from '../files/kept-file.ts'
import { type Storage, storageKeyOf } from '../files/storage.ts'
import { readPerson } from '../people/profiles.ts'
import { jsonLine, safeName } from './export-json.ts'
import type { Zip } from './zip.ts'

/** The paths of the pictures in the archive, by each name of an emoji. */
export type EmojiPaths = ReadonlyMap<string, string>

interface Options {
  db: Db
  storage: Storage
  zip: Zip
  /** Null for the person who runs the server. */
  readerId: string | null
}

/** Writes the emoji of the workspace whose pictures still exist. */
export async function writeEmoji({ db, storage, zip, readerId }: Options): Promise<EmojiPaths> {
  // As in the list of emoji: a guest may not know who added one.
  const isAuthorShown = readerId === null || can.seeEverybody(await readPerson(db, readerId))
  const paths = new Map<string, string>()
  // At most `limits.emoji.all`.
  const lines: string[] = []
  for (const { fileId, sizes, createdBy, ...emoji } of await readEmoji(db)) {
    // The last picture is the moving one, if there is one.
    const { start, length, total } = rangeOf(sizes, sizes.length - 1)
    const bytes = await storage.read(storageKeyOf(fileId), total, { start, end: start + length - 1 })
    if (!bytes) continue
    const path = `emoji/${safeName(`${emoji.name}.webp`)}`
    await zip.addBytes(path, bytes)
    lines.push(jsonLine({ ...emoji, ...(isAuthorShown && { createdBy }), path }))
    for (const name of [emoji.name, ...emoji.aliases]) paths.set(name, path)
  }
  await zip.addText('data/emoji.jsonl', lines)
  return paths
}

const readEmoji = (db: Db) =>
  db
    .selectFrom('emoji')
    .innerJoin('emoji_names', 'emoji_names.emojiId', 'emoji.id')
    .select([
      sql<string>`min(name) filter (where not "isAlias")`.as('name'),
      sql<string[]>`coalesce(array_agg(name order by name) filter (where "isAlias"), '{}')`.as('aliases'),
    ])
    .select(['emoji.createdAt', 'emoji.createdBy', 'emoji.fileId', 'emoji.sizes'])
    .groupBy('emoji.id')
    .orderBy('name')
    .execute()
