import { sql } from 'kysely'
import { writeAudit } from '../audit/write-audit.ts'
import { type Db, openDatabase } from '../db/database.ts'
import type { Storage } from '../files/storage.ts'
import { loadDatabase } from './load-database.ts'
import type { Manifest } from './manifest.ts'

/**
 * Counts what was written since a snapshot and would be lost by going back to it. Imported content looks older by its times, so
 * it is counted by its import; of an import that was running at the snapshot, everything counts.
 */
export async function countLosses(db: Db, { madeAt }: Manifest) {
  const { rows: known } = await sql<{ table: string | null }>`select to_regclass('import_items') as "table"`.execute(db)
  const imported = (table: 'messages' | 'channels') =>
    known[0]?.table
      ? sql`(select count(*) from import_items item
          join imports i on i.id = item."importId" and (i."finishedAt" is null or i."finishedAt" > ${madeAt}::timestamptz)
          join ${sql.table(table)} it on it.id = item.id::uuid and it."createdAt" <= ${madeAt}::timestamptz
          where item.kind = ${table.slice(0, -1)} and item."isNew")`
      : sql`0`
  const { rows } = await sql<Record<'messages' | 'edits' | 'people' | 'channels' | 'files', number>>`
    select
      ((select count(*) from messages where "createdAt" > ${madeAt}::timestamptz) + ${imported('messages')})::int as messages,
      (select count(*) from messages where "updatedAt" > ${madeAt}::timestamptz
        and "createdAt" <= ${madeAt}::timestamptz)::int as edits,
      (select count(*) from users where "createdAt" > ${madeAt}::timestamptz)::int as people,
      ((select count(*) from channels where "createdAt" > ${madeAt}::timestamptz) + ${imported('channels')})::int as channels,
      (select count(*) from files where "createdAt" > ${madeAt}::timestamptz and state = 'ready')::int as files
  `.execute(db)
  return rows[0] as NonNullable<(typeof rows)[0]>
}

interface Options {
  databaseUrl: string
  place: Storage
  manifest: Manifest
  onTable: (table: string) => void
}

/** Goes back to a snapshot and its schema, for the version of Parley that made it. @throws StartError */
export async function rollBack({ databaseUrl, place, manifest, onTable }: Options) {
  const { db: unused, pool } = openDatabase(databaseUrl, { onError: () => {}, max: 1, timeoutMs: 0 })
  const client = await pool.connect()
  try {
    await loadDatabase({
      ...{ client, place, manifest, onTable },
      async complete(db) {
        const hasAudit = manifest.tables.some(({ name }) => name === 'audit_log')
        if (hasAudit) await writeAudit(db, { kind: 'rolled_back', actorId: null, details: { name: manifest.name } })
      },
    })
  } finally {
    client.release(true)
    await unused.destroy()
  }
}
