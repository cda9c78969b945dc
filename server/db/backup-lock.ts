import { sql } from 'kysely'
import type pg from 'pg'
import type { Db } from './database.ts'

/** An advisory lock held during a backup. The numbers are arbitrary. */
const LOCK = [7_254_902, 1] as const

/**
 * Prevents the bytes of deleted files from being removed until the connection ends or releases the lock. Returns false if another
 * backup is running.
 */
export async function lockForBackup(client: pg.ClientBase): Promise<boolean> {
  const { rows } = await client.query('select pg_try_advisory_lock($1, $2) as "isMine"', [...LOCK])
  return rows[0].isMine
}

/** Serializes nodes that dump or migrate the database, until the connection ends. */
export const lockForSnapshot = (client: pg.ClientBase) => client.query('select pg_advisory_lock($1, $2)', [LOCK[0], 2])

export async function isBackupRunning(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isRunning: boolean }>`
    select exists (
      select from pg_locks where locktype = 'advisory' and granted and objsubid = 2
        and database = (select oid from pg_database where datname = current_database())
        and classid = ${sql.lit(LOCK[0])} and objid = ${sql.lit(LOCK[1])}
    ) as "isRunning"`.execute(db)
  return rows[0]?.isRunning === true
}
