import { type Kysely, sql, type Transaction } from 'kysely'
import { problem } from '#contract/errors'
import { createKeywordMap, foldKeyword } from '#contract/keywords'
import { limits } from '#contract/limits'
import type { DB } from '../db/schema.ts'
import { conflict, invalidField } from '../errors.ts'

type OwnKeywords = { userId: string; keywords: string[] }

/** Everybody's keywords, in the memory of each node. Nobody learns of those of others. */
export interface Keywords {
  /** The people with a keyword that a text contains, in whatever channels they are. */
  peopleOf(text: string): string[]
  set(own: OwnKeywords): void
  /** Replaces all of them, for when changes may have been missed. Those that are set meanwhile stay. */
  reload(read: () => Promise<OwnKeywords[]>): Promise<void>
  bytes(): number
}

/** Roughly what a keyword of one person takes besides its characters. */
const ENTRY_BYTES = 200

export const readKeywords = (db: Kysely<DB> | Transaction<DB>): Promise<OwnKeywords[]> =>
  db
    .selectFrom('notification_settings')
    .select(['userId', 'keywords'])
    .where('keywords', '<>', sql<string[]>`'{}'`)
    .execute()

export function createKeywords(all: readonly OwnKeywords[]): Keywords {
  const byPerson = new Map<string, string[]>()
  const people = createKeywordMap<Set<string>>()
  let changed = new Map<string, OwnKeywords>()
  let bytes = 0

  function add(word: string, userId: string) {
    const its = people.get(word)
    if (its) its.add(userId)
    else people.set(word, new Set([userId]))
  }

  function remove(word: string, userId: string) {
    const its = people.get(word)
    if (its?.delete(userId) && its.size === 0) people.delete(word)
  }

  const bytesOf = (words: string[]) => words.reduce((sum, { length }) => sum + 2 * length + ENTRY_BYTES, 0)

  function set(own: OwnKeywords) {
    const { userId, keywords } = own
    const before = byPerson.get(userId) ?? []
    const words = [...new Set(keywords.map(foldKeyword))]
    for (const word of before) remove(word, userId)
    for (const word of words) add(word, userId)
    if (words.length > 0) byPerson.set(userId, words)
    else byPerson.delete(userId)
    bytes += bytesOf(words) - bytesOf(before)
  }

  async function reload(read: () => Promise<OwnKeywords[]>) {
    changed = new Map()
    const next = new Map((await read()).map((own) => [own.userId, own]))
    for (const [userId, own] of changed) next.set(userId, own)
    for (const userId of [...byPerson.keys()]) if (!next.has(userId)) set({ userId, keywords: [] })
    for (const own of next.values()) set(own)
  }

  for (const own of all) set(own)
  return {
    peopleOf: (text) => [...new Set(people.in(text).flatMap((its) => [...its]))],
    set(own) {
      changed.set(own.userId, own)
      set(own)
    },
    reload,
    bytes: () => bytes,
  }
}

/**
 * Adds and removes keywords of a person.
 * @throws AppError 409 `too_many_keywords`; 400 for one that is too long once it is normalized
 */
export async function changeOwnKeywords(
  tx: Transaction<DB>,
  userId: string,
  { add = [], remove = [] }: { add?: string[] | undefined; remove?: string[] | undefined },
) {
  const { own: max, all, length } = limits.keywords
  if (add.some((word) => foldKeyword(word).length > length))
    throw invalidField('add', problem('errors.tooLong', { max: length }))
  await tx
    .insertInto('notification_settings')
    .values({ userId })
    .onConflict((row) => row.doNothing())
    .execute()
  const settings = tx.selectFrom('notification_settings').select('keywords').where('userId', '=', userId)
  const { keywords: before } = await settings.forUpdate().executeTakeFirstOrThrow()
  const byFolded = new Map(before.map((word) => [foldKeyword(word), word]))
  for (const word of remove) byFolded.delete(foldKeyword(word))
  for (const word of add) {
    const folded = foldKeyword(word)
    if (folded !== '' && !byFolded.has(folded)) byFolded.set(folded, word)
  }
  const keywords = [...byFolded.values()]
  const isChanged = JSON.stringify(keywords) !== JSON.stringify(before)
  if (!isChanged) return { keywords, isChanged }
  if (keywords.length > max) throw conflict('too_many_keywords', problem('errors.tooManyKeywords', { max }))
  if (keywords.length > before.length && (await countAll(tx)) >= all)
    throw conflict('too_many_keywords', problem('errors.keywordsFull'))
  await tx.updateTable('notification_settings').set({ keywords }).where('userId', '=', userId).execute()
  return { keywords, isChanged }
}

async function countAll(tx: Transaction<DB>) {
  const sum = sql<number>`coalesce(sum(cardinality(keywords)), 0)::integer`.as('all')
  const settings = tx.selectFrom('notification_settings').where('keywords', '<>', sql<string[]>`'{}'`)
  return (await settings.select(sum).executeTakeFirstOrThrow()).all
}
