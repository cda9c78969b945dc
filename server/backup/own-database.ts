import { sql } from 'kysely'
import { StartError } from '../config/start-error.ts'
import type { Db } from '../db/database.ts'
import { readChanges, readExecuted } from '../db/migrate.ts'

/**
 * A restore drops everything in the database, so it has to be empty or Parley's: one in which one of Parley's migrations ran.
 * @throws StartError
 */
export async function requireOwnDatabase(db: Db) {
  const { rows } = await sql<{ name: string }>`
    select name from (
      select oid, relname::text as name from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')
      union all
      select oid, proname from pg_proc where pronamespace = current_schema()::regnamespace
    ) found
    where not exists (select from pg_depend d where d.objid = found.oid and d.deptype = 'e')
    order by name limit 1`.execute(db)
  const [first] = rows
  if (!first) return
  const changes = await readChanges()
  // Other programs have a table of this name, too.
  const executed = await readExecuted(db).catch(() => [])
  if (executed.some((name) => name in changes)) return
  throw new StartError(
    `The database belongs to another program: it has "${first.name}", but nothing of Parley's. A restore needs a database of its own.`,
  )
}
