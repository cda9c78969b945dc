import type { Db } from '../db/database.ts'
import type { SearchReplica } from './search-replica.ts'

/** The databases that searches use. */
export interface SearchDatabases {
  /** A separate pool, whose queries have a short timeout. */
  primary: Db
  /** Undefined without DATABASE_READ_URL. */
  replica: SearchReplica | undefined
}

/** A result from the replica, which is only a hint. */
export interface Candidate {
  id: string
  channelId: string
}

/** The queries of a search for one kind of results. Each returns at most `limit`, newest first. */
interface Queries<Hit> {
  limit: number
  /** Among the newest rows. */
  recent(db: Db): Promise<Hit[]>
  all(db: Db): Promise<Hit[]>
  candidates(db: Db): Promise<Candidate[]>
  /** Returns the candidates that exist, match, and may be read. */
  confirm(db: Db, candidates: Candidate[]): Promise<Hit[]>
}

/**
 * The newest hits. The primary searches recent rows, so that people find what they have just written. If those are not enough,
 * the replica finds others and the primary confirms them. If it doesn't confirm all of them, the replica lacks a relevant change,
 * and the primary searches everything.
 */
export async function findNewest<Hit extends { id: string }>(
  { primary, replica }: SearchDatabases,
  { limit, recent, all, candidates, confirm }: Queries<Hit>,
): Promise<Hit[]> {
  const hits = await recent(primary)
  if (hits.length >= limit) return hits
  const found = await replica?.run(candidates)
  if (!replica || !found) return all(primary)
  const known = new Set(hits.map(({ id }) => id))
  const others = found.filter(({ id }) => !known.has(id))
  const confirmed = others.length > 0 ? await confirm(primary, others) : []
  const isOutdated = confirmed.length < others.length
  replica.count(isOutdated ? 'outdated' : 'used')
  if (isOutdated) return all(primary)
  return [...hits, ...confirmed].sort((a, b) => (a.id < b.id ? 1 : -1)).slice(0, limit)
}
