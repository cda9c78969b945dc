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
