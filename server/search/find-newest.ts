import type { Db } from '../db/database.ts'
import type { SearchReplica } from './search-replica.ts'

/** Where searches look. */
export interface SearchDatabases {
  /** A pool of its own, whose queries have a short timeout. */
  primary: Db
  /** Undefined without DATABASE_READ_URL. */
  replica: SearchReplica | undefined
}

/** A result as a replica finds it: not more than a hint. */
export interface Candidate {
  id: string
  channelId: string
}

/** The queries of a search for one kind of results. Each returns at most `limit`, the newest first. */
interface Queries<Hit> {
  limit: number
  /** Among the newest rows. */
  recent(db: Db): Promise<Hit[]>
  all(db: Db): Promise<Hit[]>
  candidates(db: Db): Promise<Candidate[]>
  /** Those of the candidates that exist, match, and may be read. */
  confirm(db: Db, candidates: Candidate[]): Promise<Hit[]>
}

/**
 * The newest hits. The primary is asked for recent ones, so that people find what they have just written. If those are not
 * enough, the replica finds others and the primary confirms them. If it does not confirm them all, the replica lacks a
 * change that matters here, and the primary searches by itself.
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
