import { sql } from 'kysely'
import { expect } from 'vitest'
import type { SearchResult } from '#contract/search'
import type { Db } from '../../db/database.ts'
import { indexOnce } from '../../search/indexing.ts'
import type { Person } from './parley.ts'

export const ask = (person: Person, query: Record<string, string>) =>
  person.get(`/api/search?${new URLSearchParams(query)}`)

/** A person's search results; fails if the search was refused. */
export async function find(person: Person, q: string, more: Record<string, string> = {}): Promise<SearchResult[]> {
  const { status, body } = await ask(person, { q, ...more })
  expect(status, JSON.stringify(body)).toBe(200)
  return body
}

export const contents = async (...args: Parameters<typeof find>) => (await find(...args)).map(({ content }) => content)

/** Indexes all pending messages. */
export async function indexAll(db: Db) {
  while ((await indexOnce(db, { worthwhile: 1 })).count > 0);
}

/** More than the number of newest messages that the primary searches even if there is a replica. */
const NEWER_MESSAGES = 2100

/** Makes all messages old by adding newer ones in a separate channel. */
export async function addNewerMessages(db: Db, person: Person) {
  const { id } = (await person.post('/api/channels', { name: `newer-${made++}`, isPrivate: true })).body
  await sql`
    with added as (
      insert into messages (id, "channelId", "userId", content, seq, rev)
      select uuidv7(), ${id}, ${person.id}, 'newer ' || n, n, n from generate_series(1, ${sql.lit(NEWER_MESSAGES)}) n
      returning id, "channelId", content
    )
    insert into message_search ("messageId", "channelId", text) select * from added`.execute(db)
  await indexAll(db)
}
let made = 0
