import { sql } from 'kysely'
import * as z from 'zod'
import { StartError } from '../config/start-error.ts'
import { commandLine, VERSION_NAME } from '../installation.ts'
import type { Db } from './database.ts'
import { noneIfMissing } from './database.ts'

// After a rollback, the version that was given up must not migrate the database again at its next start, on any node. The schema
// is an older one by then, so the mark is a comment on a table.

const Mark = z.object({
  /** The migrations that were undone. */
  undone: z.array(z.string()),
  /** The version that was given up; null if the rollback was run by an older one. */
  version: z.nullable(z.string()),
  /** ISO 8601 */
  at: z.string(),
})
export type Mark = z.output<typeof Mark>

/** Undefined if the database was not rolled back. */
export async function readMark(db: Db): Promise<Mark | undefined> {
  const { rows } = await sql<{ comment: string | null }>`
    select obj_description(to_regclass('workspace'), 'pg_class') as comment`.execute(db)
  try {
    return Mark.parse(JSON.parse(rows[0]?.comment ?? ''))
  } catch {
    return undefined
  }
}

/**
 * @param db in the transaction of the rollback; owns the table
 * @param mark of this rollback or, if it undoes nothing more, of the one before
 */
export async function writeMark(db: Db, mark: Mark) {
  await sql`comment on table workspace is ${sql.lit(JSON.stringify(mark))}`.execute(db)
}

/** Call before migrating because somebody wants it. */
export async function removeMark(db: Db) {
  if (await readMark(db)) await sql`comment on table workspace is null`.execute(db)
}

/**
 * Call before migrating unasked.
 * @param pending the migrations that are due
 * @param namedAt when the command `upgrade` named this version (ISO 8601); empty if it didn't: after a rollback, that asks for it
 * @throws StartError if they were undone by a rollback from this version
 */
export async function requireWanted(db: Db, pending: string[], namedAt = '') {
  const mark = await readMark(db)
  if (!mark || namedAt > mark.at || (mark.version !== null && mark.version !== VERSION_NAME)) return
  if (!pending.some((name) => mark.undone.includes(name))) return
  const before = await readVersion(db)
  throw new StartError(
    `The database was rolled back from this version of Parley (${VERSION_NAME}), which would migrate it again: start ${before?.version ? `Parley ${before.version}` : 'the version that you had before'}. To migrate it nevertheless, run "${commandLine('migrate')}".`,
  )
}

/** The version of Parley that last started on a schema of its own, and the last migration of that; undefined before 0.3.0. */
export async function readVersion(db: Db): Promise<{ version: string | null; schema: string | null } | undefined> {
  const { rows } = (await noneIfMissing(
    sql<{ version: string | null; schema: string | null }>`
      select version, "versionSchema" as schema from workspace`.execute(db),
  )) ?? { rows: [] }
  return rows[0]
}

/**
 * Call when everything is migrated.
 * @param executed the names of all migrations that have run
 * @param known those of this version: on the schema of a newer one, nothing is recorded
 */
export async function recordVersion(db: Db, executed: string[], known: string[]) {
  const schema = executed.at(-1)
  if (schema === undefined || executed.some((name) => !known.includes(name))) return
  await noneIfMissing(
    sql`update workspace set version = ${VERSION_NAME}, "versionSchema" = ${schema}
      where (version, "versionSchema") is distinct from (${VERSION_NAME}, ${schema})`.execute(db),
  )
}
