import { LRUCache } from 'lru-cache'
import type { Face } from '#contract/users'
import type { Db } from '../db/database.ts'

/** Names for messages, by user id. They are valid for one version of the workspace's people. */
export interface NameCache {
  /** Drops all names if they belong to an older version. */
  invalidateBefore(version: number): void
  /** Drops everything, for when the database was replaced and versions are not comparable. */
  clear(): void
  /** @param version the workspace's people version when the ids were read */
  namesOf(ids: readonly string[], version?: number): Promise<(id: string) => Face>
  bytes(): number
}

/** Overhead per entry. */
const ENTRY_BYTES = 300

export function createNameCache(db: Db, maxBytes: number): NameCache {
  const cache = new LRUCache<string, Face>({
    maxSize: maxBytes,
    sizeCalculation: ({ id, username, name }) => 2 * (id.length + username.length + name.length) + ENTRY_BYTES,
  })
  let cachedVersion = 0

  function invalidateBefore(version: number) {
    if (version <= cachedVersion) return
    cache.clear()
    cachedVersion = version
  }

  function clear() {
    cache.clear()
    cachedVersion = 0
  }

  async function namesOf(ids: readonly string[], version = cachedVersion) {
    invalidateBefore(version)
    const names = new Map<string, Face>()
    const missing: string[] = []
    for (const id of new Set(ids)) {
      const user = cache.get(id)
      if (user) names.set(id, user)
      else missing.push(id)
    }
    if (missing.length > 0) {
      const versionBefore = cachedVersion
      const rows = await db
        .selectFrom('users')
        .select(['id', 'username', 'name', 'isNamesake', 'color'])
        .where('id', 'in', missing)
        .execute()
      for (const { isNamesake, color, ...named } of rows) {
        // A mark is omitted for most people, a color for the assistant.
        const row = { ...named, ...(isNamesake && { isNamesake }), ...(color !== null && { color }) }
        names.set(row.id, row)
        // If the version changed during the query, the name may be stale.
        if (versionBefore === cachedVersion) cache.set(row.id, row)
      }
    }
    // The author of a message cannot be deleted while the message exists, so every id has a name.
    return (id: string) => names.get(id) as Face
  }

  return { invalidateBefore, clear, namesOf, bytes: () => cache.calculatedSize }
}
