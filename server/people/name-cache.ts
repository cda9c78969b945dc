import { LRUCache } from 'lru-cache'
import type { User } from '#contract/users'
import type { Db } from '../db/database.ts'

/** Names for messages, by id: a page asks for those it shows, and mostly they are known already. */
export interface People {
  /** Somebody has another name since this version: names known under an older one are forgotten. */
  moveTo(version: number): void
  /** Another database: its versions mean something else. */
  forget(): void
  /** @param version the workspace's people version when the ids were read; names known under an older one are forgotten. */
  named(ids: readonly string[], version?: number): Promise<(id: string) => User>
  /** Bytes of the names that are remembered. */
  bytes(): number
}

/** Bytes that an entry takes besides its texts. */
const ENTRY = 300

/** @param most bytes of names that are remembered */
export function openPeople(db: Db, most: number): People {
  const known = new LRUCache<string, User>({
    maxSize: most,
    sizeCalculation: ({ id, username, name }) => 2 * (id.length + username.length + name.length) + ENTRY,
  })
  let knownVersion = 0

  function moveTo(version: number) {
    if (version <= knownVersion) return
    known.clear()
    knownVersion = version
  }

  function forget() {
    known.clear()
    knownVersion = 0
  }

  async function named(ids: readonly string[], version = knownVersion) {
    moveTo(version)
    const names = new Map<string, User>()
    const unknown: string[] = []
    for (const id of new Set(ids)) {
      const user = known.get(id)
      if (user) names.set(id, user)
      else unknown.push(id)
    }
    if (unknown.length > 0) {
      const asked = knownVersion
      const rows = await db.selectFrom('users').select(['id', 'username', 'name']).where('id', 'in', unknown).execute()
      for (const row of rows) {
        names.set(row.id, row)
        // Another version came meanwhile: this may be a name of the one before.
        if (asked === knownVersion) known.set(row.id, row)
      }
    }
    // A message's author cannot be deleted while the message stands, so there is a name for each.
    return (id: string) => names.get(id) as User
  }

  return { moveTo, forget, named, bytes: () => known.calculatedSize }
}
