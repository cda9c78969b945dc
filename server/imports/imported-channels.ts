import { sql } from 'kysely'
import type { Db } from '../db/database.ts'

/** A channel that an import made, or what is left of it. */
interface ImportedChannel {
  importId: string
  /** Null if it has been deleted since. */
  channel: { id: string; name: string; memberCount: number; kind: string } | null
}

/** The channels that keys of an archive were imported as. */
export async function readImported(db: Db, source: string, keys: string[]): Promise<Map<string, ImportedChannel>> {
  const rows = await db
    .selectFrom('import_items')
    .leftJoin('channels', (join) =>
      join.on('channels.id', '=', sql`import_items.id::uuid`).on('channels.deletedAt', 'is', null),
    )
    .select(['key', 'importId', 'channels.id', 'name', 'memberCount', 'channels.kind'])
    .where('source', '=', source)
    .where('import_items.kind', '=', 'channel')
    .where('key', '=', sql<string>`any(${keys}::text[])`)
    .execute()
  return new Map(
    rows.map(({ key, importId, id, name, memberCount, kind }) => {
      const isThere = id !== null && name !== null && memberCount !== null && kind !== null
      return [key, { importId, channel: isThere ? { id, name, memberCount, kind } : null }]
    }),
  )
}

/**
 * What a channel of the archive was imported as, unless that has been deleted. A topic that is no channel came with its channel, as
 * threads, if another import than `jobId` brought that.
 */
export function knownAs(
  imported: ReadonlyMap<string, ImportedChannel>,
  key: string,
  topicOf: string | undefined,
  jobId?: string,
) {
  const own = imported.get(key)
  if (own || topicOf === undefined) return own?.channel ? { ...own.channel, importId: own.importId } : undefined
  const outer = imported.get(topicOf)
  return outer?.channel && outer.importId !== jobId ? { ...outer.channel, importId: outer.importId } : undefined
}
