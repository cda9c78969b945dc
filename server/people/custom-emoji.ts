import { type Kysely, sql } from 'kysely'
import type { CustomEmoji } from '#contract/custom-emoji'
import { customName } from '#contract/emoji'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { invalidField } from '../errors.ts'
import type { NameCache } from './name-cache.ts'

/** Returns a function that lists the workspace's emoji by name. They are read once per change, for all readers. */
export function createEmojiList(db: Db, people: NameCache) {
  let latest: { version: string; emoji: Promise<CustomEmoji[]> } | undefined
  return async (): Promise<CustomEmoji[]> => {
    const { epoch, emojiVersion, peopleVersion } = await db
      .selectFrom('workspace')
      .select(['epoch', 'emojiVersion', 'peopleVersion'])
      .executeTakeFirstOrThrow()
    const version = `${epoch} ${emojiVersion} ${peopleVersion}`
    if (latest?.version !== version) {
      const emoji = readEmoji(db, people, peopleVersion)
      latest = { version, emoji }
      emoji.catch(() => {
        if (latest?.emoji === emoji) latest = undefined
      })
    }
    return latest.emoji
  }
}

async function readEmoji(db: Db, people: NameCache, peopleVersion: number): Promise<CustomEmoji[]> {
  const rows = await db
    .selectFrom('emoji')
    .innerJoin('emoji_names as main', (join) =>
      join.onRef('main.emojiId', '=', 'emoji.id').on('main.isAlias', '=', false),
    )
    .select(['main.name', 'hash', 'createdBy', 'createdAt'])
    .select(sql<number>`cardinality(sizes)`.as('pictures'))
    .select(
      sql<
        string[]
      >`array(select a.name from emoji_names a where a."emojiId" = emoji.id and a."isAlias" order by a.name)`.as(
        'aliases',
      ),
    )
    .orderBy('main.name')
    .execute()
  const faceOf = await people.namesOf(
    rows.map(({ createdBy }) => createdBy),
    peopleVersion,
  )
  return rows.map(({ hash, createdBy, pictures, ...row }) => {
    const stillUrl = `/api/emoji/pictures/${hash}/still`
    const url = pictures > 1 ? `/api/emoji/pictures/${hash}/moving` : stillUrl
    return { ...row, url, stillUrl, by: faceOf(createdBy) }
  })
}

/**
 * An emoji as reactions and statuses store it: the first name of one of the workspace.
 * @throws AppError 400 if the workspace has no such emoji
 */
export async function resolveEmoji(db: Kysely<DB>, emoji: string, field: string): Promise<string> {
  const name = customName(emoji)
  if (name === undefined) return emoji
  const found = await db
    .selectFrom('emoji_names')
    .innerJoin('emoji_names as main', (join) =>
      join.onRef('main.emojiId', '=', 'emoji_names.emojiId').on('main.isAlias', '=', false),
    )
    .select('main.name')
    .where('emoji_names.name', '=', name)
    .executeTakeFirst()
  if (!found) throw invalidField(field, 'errors.noSuchEmoji')
  return `:${found.name}:`
}
