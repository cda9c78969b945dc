import { buffer } from 'node:stream/consumers'
import { sql } from 'kysely'
import { writeAudit } from '../audit/write-audit.ts'
import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import { type Db, noneIfMissing, openDatabase } from '../db/database.ts'
import { runChanges } from '../db/migrate.ts'
import { openStorage } from '../files/open-storage.ts'
import type { Storage } from '../files/storage.ts'
import { checkSecret } from '../identity/secret-check.ts'
import { readFileList } from './file-list.ts'
import { loadDatabase } from './load-database.ts'
import type { BackupProgress } from './make-backup.ts'
import { type Manifest, secretsKey, sharedKey, tableKey } from './manifest.ts'
import { measure, measured, readPacked } from './packed.ts'
import { requireRoom } from './room.ts'

interface Options extends BackupProgress {
  databaseUrl: string
  config: Config
  secret: string
  place: Storage
  manifest: Manifest
}

/**
 * Replaces the database by a backup: first the files, which are not read before the database refers to them, then the database in
 * one transaction. If it is killed at any moment, the database is either the old or the new one, and a repeat continues.
 * @returns the keys of files whose bytes the backup doesn't have
 * @throws StartError
 */
export async function restoreBackup(options: Options): Promise<string[]> {
  const { config, secret, place, manifest, onTable, onFiles } = options
  const storage = await openStorage(config, manifest.filesId)
  const missing = await restoreFiles(place, manifest, storage, onFiles)
  // The files may have used up the space.
  await requireRoom(config, manifest)
  const { db: unused, pool } = openDatabase(options.databaseUrl, { onError: () => {}, max: 1, timeoutMs: 0 })
  const client = await pool.connect()
  try {
    const { name, madeAt } = manifest
    await loadDatabase({
      client,
      place,
      manifest,
      onTable,
      async complete(db, changes) {
        const later = Object.keys(changes).filter((change) => !manifest.migrations.includes(change))
        await runChanges(db, changes, later)
        await checkSecret(db, secret, config)
        await writeAudit(db, { kind: 'backup_restored', actorId: null, details: { name, madeAt } })
      },
    })
  } finally {
    client.release(true)
    await unused.destroy()
  }
  return missing
}

async function restoreFiles(place: Storage, manifest: Manifest, storage: Storage, onFiles: Options['onFiles']) {
  const missing: string[] = []
  let done = 0
  for await (const { key, size, sha256 } of readFileList(place, manifest)) {
    onFiles(++done, manifest.files?.count ?? 0)
    if (sha256 === undefined) {
      missing.push(key)
      continue
    }
    // Already there, from an earlier attempt or because it is the same workspace.
    if ((await storage.sizeOf(key)) === size && (await hashOf(storage, key, size)) === sha256) continue
    const damaged = new StartError(`The backup is damaged: ${sharedKey(key)} is not what was stored.`)
    const bytes = await place.read(sharedKey(key), size)
    if (!bytes) throw damaged
    await storage.write(key, measure(bytes, measured({ stored: { size, sha256 }, damaged })))
  }
  if (done !== (manifest.files?.count ?? 0))
    throw new StartError(
      `The backup ${manifest.name} is damaged: its list of files has ${done} instead of ${manifest.files?.count}.`,
    )
  return missing
}

/** Undefined if the bytes are missing or incomplete. */
export async function hashOf(storage: Storage, key: string, size: number): Promise<string | undefined> {
  const bytes = await storage.read(key, size)
  if (!bytes) return undefined
  const meter = measure(bytes)
  for await (const _ of meter);
  return meter.stored().sha256
}

/** The number of people in a database, 0 in a new one. The assistant doesn't count. */
export async function countPeople(db: Db): Promise<number> {
  const { rows } = (await noneIfMissing(
    sql<{ count: number }>`select count(*)::int as count from users where id <> 'assistant-bot'`.execute(db),
  )) ?? { rows: [] }
  return rows[0]?.count ?? 0
}

/** The identity's secret, if the backup includes it. */
export async function readSecret(place: Storage, { name, secrets }: Manifest): Promise<string | undefined> {
  if (!secrets) return undefined
  const bytes = await buffer(await readPacked(place, secretsKey(name), secrets))
  return JSON.parse(bytes.toString()).identity
}

/** The fingerprint of the secret that a backup belongs to; undefined for versions without fingerprints. */
export async function readFingerprint(place: Storage, { name, tables }: Manifest): Promise<string | undefined> {
  const workspace = tables.find((table) => table.name === 'workspace')
  const column = workspace?.columns.indexOf('secretFingerprint') ?? -1
  if (!workspace || column < 0) return undefined
  // A single row, in the format of COPY.
  const row = (await buffer(await readPacked(place, tableKey(name, 'workspace'), workspace))).toString()
  const value = row.trimEnd().split('\t')[column]
  return value === '\\N' ? undefined : value
}
