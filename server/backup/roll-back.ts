import { sql } from 'kysely'
import type { AuditKind } from '#contract/audit'
import { writeAudit } from '../audit/write-audit.ts'
import { readFilesId } from '../channels/workspace.ts'
import { StartError } from '../config/start-error.ts'
import { lockForSnapshot } from '../db/backup-lock.ts'
import { type Db, noneIfMissing, openDatabase } from '../db/database.ts'
import { readChanges, readExecuted } from '../db/migrate.ts'
import { type Mark, readMark, writeMark } from '../db/rollback-mark.ts'
import type { Storage } from '../files/storage.ts'
import { VERSION_NAME } from '../installation.ts'
import { loadDatabase } from './load-database.ts'
import type { Manifest } from './manifest.ts'
import type { OnProgress } from './progress.ts'

export type Losses = Record<'messages' | 'edits' | 'people' | 'channels' | 'files' | 'changes', number>

/** Kinds of the audit log that change nothing worth keeping, or are counted as content. */
const HARMLESS: AuditKind[] = [
  'signed_in',
  'sign_in_refused',
  'sessions_ended',
  'provider_signed_out',
  'audit_downloaded',
  'export_downloaded',
  'backup_made',
  'backup_restored',
  'rolled_back',
  'person_joined',
  'channel_created',
]

/**
 * Counts what was written since a snapshot and would be lost by going back to it. Imported content looks older by its times, so
 * it is counted by its import; of an import that was running at the snapshot, everything counts. Other changes are those of the
 * audit log.
 */
export async function countLosses(db: Db, { madeAt }: Manifest): Promise<Losses> {
  const { rows: known } = await sql<{ table: string | null; audit: string | null }>`
    select to_regclass('import_items') as "table", to_regclass('audit_log') as audit`.execute(db)
  const changes = known[0]?.audit
    ? sql`(select count(*) from audit_log where at > ${madeAt}::timestamptz and kind <> all(${HARMLESS}))`
    : sql`0`
  const imported = (table: 'messages' | 'channels') =>
    known[0]?.table
      ? sql`(select count(*) from import_items item
          join imports i on i.id = item."importId" and (i."finishedAt" is null or i."finishedAt" > ${madeAt}::timestamptz)
          join ${sql.table(table)} it on it.id = item.id::uuid and it."createdAt" <= ${madeAt}::timestamptz
          where item.kind = ${table.slice(0, -1)} and item."isNew")`
      : sql`0`
  const { rows } = await sql<Losses>`
    select
      ((select count(*) from messages where "createdAt" > ${madeAt}::timestamptz) + ${imported('messages')})::int as messages,
      (select count(*) from messages where "updatedAt" > ${madeAt}::timestamptz
        and "createdAt" <= ${madeAt}::timestamptz)::int as edits,
      (select count(*) from users where "createdAt" > ${madeAt}::timestamptz)::int as people,
      ((select count(*) from channels where "createdAt" > ${madeAt}::timestamptz) + ${imported('channels')})::int as channels,
      (select count(*) from files where "createdAt" > ${madeAt}::timestamptz and state = 'ready')::int as files,
      ${changes}::int as changes
  `.execute(db)
  return rows[0] as Losses
}

interface Options {
  databaseUrl: string
  place: Storage
  manifest: Manifest
  /** The version that is given up, and must not migrate the database again by itself; undefined if that is not wanted. */
  givenUp?: GivenUp
  onProgress?: OnProgress | undefined
}

export type GivenUp = Omit<Mark, 'at'>

/** What going back to a snapshot gives up, together with what an earlier rollback gave up. */
export async function readGivenUp(db: Db, { migrations }: Manifest): Promise<GivenUp> {
  const undone = (await readExecuted(db)).filter((name) => !migrations.includes(name))
  const mark = await readMark(db)
  if (undone.length === 0) return mark ?? { undone, version: null }
  const changes = await readChanges()
  const version = undone.every((name) => name in changes) ? VERSION_NAME : null
  return { undone: [...undone, ...(mark?.undone ?? [])], version }
}

/** @throws StartError if a snapshot is not one of this database */
export async function requireSameWorkspace(db: Db, { name, filesId }: Manifest) {
  const own = await noneIfMissing(readFilesId(db))
  if (own === undefined) throw new StartError('There is no workspace in this database.')
  if (own === filesId) return
  throw new StartError(`The snapshot ${name} is of another workspace than this database. Nothing was changed.`)
}

/** Goes back to a snapshot and its schema, for the version of Parley that made it. @throws StartError */
export async function rollBack({ databaseUrl, place, manifest, givenUp, onProgress }: Options) {
  const { db: unused, pool } = openDatabase(databaseUrl, { onError: () => {}, max: 1, timeoutMs: 0 })
  const client = await pool.connect()
  try {
    // No node begins to migrate meanwhile.
    await lockForSnapshot(client)
    await loadDatabase({
      ...{ client, place, manifest, onProgress },
      async complete(db) {
        if (givenUp) await writeMark(db, { ...givenUp, at: new Date().toISOString() })
        const hasAudit = manifest.tables.some(({ name }) => name === 'audit_log')
        if (hasAudit) await writeAudit(db, { kind: 'rolled_back', actorId: null, details: { name: manifest.name } })
      },
    })
  } finally {
    client.release(true)
    await unused.destroy()
  }
}
