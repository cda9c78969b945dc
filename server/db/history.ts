import { sql } from 'kysely'
import type { Db } from './database.ts'

// A workspace's epoch stands for one history of its database. After a restore, or the promotion of a replica that lacked the last
// commits, revision numbers are reused with a different meaning.

/**
 * Identifies the database's history: its cluster, the timeline (new after each promotion and point-in-time restore), and the
 * database within the cluster (new for a restored dump). Undefined if the account lacks permission.
 */
async function readHistory(db: Db): Promise<string | undefined> {
  const query = sql<{ history: string }>`
    select concat_ws(' ', (select system_identifier from pg_control_system()),
      left(pg_walfile_name(pg_current_wal_lsn()), 8),
      (select oid from pg_database where datname = current_database())) as history`
  const { rows } = await query.execute(db).catch(() => ({ rows: [] }))
  return rows[0]?.history
}

/** At startup: begins a new epoch if the history changed, because no node was running to compare commits. */
export async function checkHistory(db: Db) {
  const history = await readHistory(db)
  if (history === undefined) return
  await sql`
    update workspace set history = ${history}, epoch = case when history is null then epoch else gen_random_uuid() end
    where history is distinct from ${history}`.execute(db)
}

/**
 * Adopts the history of a database that recovered or was promoted while this node was running.
 * @param lostEpoch the epoch whose last commits were lost; of several nodes that detect it, only one begins the next epoch
 */
export async function followHistory(db: Db, lostEpoch?: string) {
  const history = (await readHistory(db)) ?? null
  await sql`update workspace set history = coalesce(${history}, history)`.execute(db)
  if (lostEpoch !== undefined)
    await sql`update workspace set epoch = gen_random_uuid() where epoch = ${lostEpoch}`.execute(db)
}
