import { join } from 'node:path'
import { sql } from 'kysely'
import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import { lockForSnapshot } from '../db/backup-lock.ts'
import type { Db } from '../db/database.ts'
import { readChanges, readExecuted, readPending } from '../db/migrate.ts'
import { readVersion, removeMark, requireWanted } from '../db/rollback-mark.ts'
import { commandLine } from '../installation.ts'
import { dumpDatabase } from './dump-database.ts'
import { beginSnapshot, withConnection } from './make-backup.ts'
import { listBackups, newName, writeManifest } from './manifest.ts'
import { FullPlace, openFolder } from './place.ts'
import { pruneBackups, removeBackup } from './prune-backups.ts'
import { countPeople } from './restore-backup.ts'
import { freeBytes, megabytes } from './room.ts'

/** The number of snapshots to keep. */
const KEEP = 2
/** A compressed snapshot takes about a third of the tables; this leaves a margin. */
const SPACE_SHARE = 0.6

const folderOf = (dataDir: string) => join(dataDir, 'snapshots')
export const openSnapshots = ({ dataDir }: Config) => openFolder(folderOf(dataDir))

interface Options {
  db: Db
  databaseUrl: string
  config: Config
  /** When the command `upgrade` named this version (ISO 8601); empty if it didn't. Undefined if an administrator asks for it. */
  namedAt: string | undefined
  log: (line: string) => void
}

/**
 * Snapshots the database before `migrate` changes it, so that the command `rollback` can go back to it; skips new databases, and
 * warns if the disk has no space for it. One node at a time: nodes that wait find the migrations done.
 * @returns what `migrate` returns: the migrations that ran
 * @throws StartError, also if the database was rolled back from this version, and nobody asks for the migrations
 */
export async function migrateWithSnapshot(options: Options, migrate: () => Promise<string[]>): Promise<string[]> {
  const { db, databaseUrl, config, namedAt } = options
  const changes = await readChanges()
  const readDue = async () => ((await countPeople(db)) > 0 ? readPending(db, changes) : [])
  if ((await readDue()).length === 0) return migrate()
  return withConnection(databaseUrl, async (client) => {
    await lockForSnapshot(client)
    const due = await readDue()
    if (due.length === 0) return migrate()
    if (namedAt !== undefined) await requireWanted(db, due, namedAt)
    await removeMark(db)
    if (config.backup.snapshots) await takeSnapshot(options)
    return migrate()
  })
}

async function takeSnapshot(options: Options) {
  const { db, databaseUrl, config, log } = options
  const folder = folderOf(config.dataDir)
  const place = openSnapshots(config)
  if (await isHalfway(db)) {
    const kept = (await listBackups(place)).filter(({ isComplete }) => isComplete).at(-1)
    if (kept) log(`The upgrade goes on. The snapshot from before it is ${folder}/backups/${kept.name}.`)
    return
  }
  const warn = (reason: string) =>
    log(`No snapshot is taken before the migration, so "${commandLine('rollback')}" can't undo it: ${reason}`)
  const shortage = await findShortage(db, config.dataDir)
  if (shortage) return warn(shortage)
  log('Taking a snapshot of the database before the migration …')
  const name = await newName(place)
  try {
    const version = (await readVersion(db))?.version ?? undefined
    // A connection of its own, because a table that can't be stored leaves it in the middle of that table.
    const dump = await withConnection(databaseUrl, async (client) => {
      await beginSnapshot(client)
      return dumpDatabase({ client, place, name })
    })
    await writeManifest(place, { name, version, ...dump })
  } catch (error) {
    await removeBackup(place, name).catch(() => {})
    if (error instanceof FullPlace) return warn(error.message)
    throw error instanceof StartError
      ? new StartError(`${error.message} SNAPSHOTS=off starts without a snapshot.`)
      : error
  }
  await pruneBackups(place, KEEP)
  log(`Took a snapshot: ${folder}/backups/${name}. "${commandLine('rollback')}" goes back to it.`)
}

/** Whether an earlier attempt at this upgrade has run some of the migrations: a snapshot of that is of no use. */
async function isHalfway(db: Db): Promise<boolean> {
  const last = await readVersion(db)
  return last !== undefined && last.schema !== (await readExecuted(db)).at(-1)
}

/** Why the disk has no space for a snapshot, in a sentence. */
async function findShortage(db: Db, dataDir: string): Promise<string | undefined> {
  const { rows } = await sql<{ bytes: number }>`
    select coalesce(sum(pg_table_size(oid)), 0)::bigint as bytes from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(db)
  const needed = Number(rows[0]?.bytes ?? 0) * SPACE_SHARE
  const free = await freeBytes(dataDir)
  if (free >= needed) return undefined
  return `it needs up to ${megabytes(needed)}, but ${megabytes(free)} are free in ${dataDir}.`
}
