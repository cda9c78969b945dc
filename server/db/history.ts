import { sql } from 'kysely'
import type { Db } from './database.ts'

// The epoch of a workspace stands for one history of its database. After a restore, or the promotion of a replica that lacked
// the last commits, revisions are given out again and mean something else than before.

/**
 * Names the database's history: its cluster, the timeline (another one after each promotion and each restore to a point in
 * time), and the database in the cluster (another one for a restored dump). Undefined where the account may not know.
 */
async function readHistory(db: Db): Promise<string | undefined> {
  const query = sql<{ history: string }>`
    select concat_ws(' ', (select system_identifier from pg_control_system()),
      left(pg_walfile_name(pg_current_wal_lsn()), 8),
      (select oid from pg_database where datname = current_database())) as history`
  const { rows } = await query.execute(db).catch(() => ({ rows: [] }))
  return rows[0]?.history
}

/** For the start: begins a new epoch if the history is another one, because no node was there to compare. */
export async function checkHistory(db: Db) {
  const history = await readHistory(db)
  if (history === undefined) return
  await sql`
    update workspace set history = ${history}, epoch = case when history is null then epoch else gen_random_uuid() end
    where history is distinct from ${history}`.execute(db)
}

/**
 * Follows the history of a database that recovered or was promoted while this node ran.
 * @param lostEpoch the epoch of the commits that are lost; of several nodes that notice it, one begins the next epoch
 */
export async function followHistory(db: Db, lostEpoch?: string) {
  const history = (await readHistory(db)) ?? null
  await sql`update workspace set history = coalesce(${history}, history)`.execute(db)
  if (lostEpoch !== undefined)
    await sql`update workspace set epoch = gen_random_uuid() where epoch = ${lostEpoch}`.execute(db)
}
