import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import { lockForSnapshot } from '../db/backup-lock.ts'
import type { Db } from '../db/database.ts'
import { readChanges, readPending } from '../db/migrate.ts'
import { commandLine } from '../installation.ts'
import { dumpDatabase } from './dump-database.ts'
import { beginSnapshot, withConnection } from './make-backup.ts'
import { newName, writeManifest } from './manifest.ts'
import { openFolder } from './place.ts'
import { pruneBackups } from './prune-backups.ts'
import { countPeople } from './restore-backup.ts'
import { freeBytes, megabytes } from './room.ts'

/** The number of snapshots to keep. */
const KEEP = 2
/** A compressed snapshot takes about a third of the tables; this leaves a margin. */
const SPACE_SHARE = 0.6

const folderOf = (dataDir: string) => join(dataDir, 'snapshots')
export const openSnapshots = ({ dataDir }: Config) => openFolder(folderOf(dataDir))

/**
 * Snapshots the database before `migrate` changes it, so that the command `rollback` can go back to it; skips new databases. One
 * node at a time: nodes that wait find the migrations done.
 * @returns what `migrate` returns: the migrations that ran
 * @throws StartError if there is not enough space
 */
export async function migrateWithSnapshot(
  { db, databaseUrl, config, log }: { db: Db; databaseUrl: string; config: Config; log: (line: string) => void },
  migrate: () => Promise<string[]>,
): Promise<string[]> {
  const isDue = async () =>
    config.backup.snapshots && (await readPending(db, await readChanges())).length > 0 && (await countPeople(db)) > 0
  if (!(await isDue())) return migrate()
  return withConnection(databaseUrl, async (client) => {
    await lockForSnapshot(client)
    if (await isDue()) {
      await requireSpace(db, config.dataDir)
      log('Taking a snapshot of the database before the migration …')
      const place = openSnapshots(config)
      const name = await newName(place)
      await beginSnapshot(client)
      const dump = await dumpDatabase({ client, place, name, onTable: () => {} })
      await client.query('commit')
      await writeManifest(place, { format: 1, name, ...dump })
      await pruneBackups(place, KEEP)
      log(`Took a snapshot: ${folderOf(config.dataDir)}/backups/${name}. "${commandLine('rollback')}" goes back to it.`)
    }
    return migrate()
  })
}

async function requireSpace(db: Db, dataDir: string) {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(pg_table_size(oid)), 0)::bigint as bytes from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(db)
  const needed = Number(rows[0]?.bytes ?? 0) * SPACE_SHARE
  const free = await freeBytes(dataDir)
  if (free >= needed) return
  throw new StartError(
    `Before the database is migrated, it is stored in ${folderOf(dataDir)}, which needs up to ${megabytes(needed)}, but ${megabytes(free)} are free: make room, or set SNAPSHOTS to off and back up by yourself.`,
  )
}
