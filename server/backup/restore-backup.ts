import { sql } from 'kysely'
import { writeAudit } from '../audit/write-audit.ts'
import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import { type Db, noneIfMissing, openDatabase } from '../db/database.ts'
import { runChanges } from '../db/migrate.ts'
import { openStorage } from '../files/open-storage.ts'
import type { Storage } from '../files/storage.ts'
import { checkSecret, isFingerprintOf } from '../identity/secret-check.ts'
import { readFileList } from './file-list.ts'
import { loadDatabase } from './load-database.ts'
import { findRemoval, type Manifest, sharedKey, tableKey } from './manifest.ts'
import { hashOf, measure, measured, readPacked, readSmall } from './packed.ts'
import { countProgress, type OnProgress } from './progress.ts'
import { requireRoom } from './room.ts'

interface Options {
  databaseUrl: string
  config: Config
  secret: string
  place: Storage
  manifest: Manifest
  onProgress?: OnProgress | undefined
  /** Ends it before the next file; end the database's connections yourself. */
  signal?: AbortSignal
}

/**
 * Replaces the database by a backup: first the files, which are not read before the database refers to them, then the database in
 * one transaction. If it is killed at any moment, the database is either the old or the new one, and a repeat continues.
 * @returns the keys of files whose bytes the backup doesn't have
 * @throws StartError
 */
export async function restoreBackup(options: Options): Promise<string[]> {
  const { config, place, manifest, secret, onProgress } = options
  const storage = await openStorage(config, manifest.filesId)
  const missing = await restoreFiles(storage, options)
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
      onProgress,
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

async function restoreFiles(storage: Storage, { place, manifest, onProgress, signal }: Options) {
  const missing: string[] = []
  let done = 0
  const progress = countProgress('files', manifest.files?.bytes ?? 0, onProgress)
  for await (const { key, size, sha256 } of readFileList(place, manifest)) {
    signal?.throwIfAborted()
    done += 1
    if (sha256 === undefined) {
      missing.push(key)
      continue
    }
    const onBytes = progress.begin(size)
    // Already there, from an earlier attempt or because it is the same workspace.
    if ((await storage.sizeOf(key)) !== size || (await hashOf(storage, key, size)) !== sha256) {
      const damaged = new StartError(`The backup is damaged: ${sharedKey(key)} is not what was stored.`)
      const bytes = await place.read(sharedKey(key), size)
      if (!bytes) throw (await findRemoval(place, manifest.name)) ?? damaged
      await storage.write(key, measure(bytes, measured({ stored: { size, sha256 }, damaged }, onBytes)))
    }
    progress.end(size)
  }
  if (done !== (manifest.files?.count ?? 0))
    throw new StartError(
      `The backup ${manifest.name} is damaged: its list of files has ${done} instead of ${manifest.files?.count}.`,
    )
  return missing
}

/** The number of people in a database, 0 in a new one. The assistant doesn't count. */
export async function countPeople(db: Db): Promise<number> {
  const { rows } = (await noneIfMissing(
    sql<{ count: number }>`select count(*)::int as count from users where id <> 'assistant-bot'`.execute(db),
  )) ?? { rows: [] }
  return rows[0]?.count ?? 0
}

export const describeSecret = ({ secret, dataDir }: Config) =>
  secret ? 'SECRET' : `The secret in ${dataDir}/secrets.json`

/**
 * Checks a secret before anything is written. Does nothing for versions without fingerprints.
 * @param which names the secret at the beginning of a sentence
 * @throws StartError if the backup belongs to another one
 */
export async function requireSecretOf(place: Storage, manifest: Manifest, secret: string, which: string) {
  const fingerprint = await readFingerprint(place, manifest)
  if (fingerprint && !(await isFingerprintOf(fingerprint, secret)))
    throw new StartError(
      `${which} is not the secret of the workspace of this backup: set SECRET to the one that its nodes have used.`,
    )
}

async function readFingerprint(place: Storage, { name, tables }: Manifest): Promise<string | undefined> {
  const workspace = tables.find((table) => table.name === 'workspace')
  const column = workspace?.columns.indexOf('secretFingerprint') ?? -1
  if (!workspace || column < 0) return undefined
  // A single row, in the format of COPY.
  const row = (await readSmall(await readPacked(place, tableKey(name, 'workspace'), workspace)))?.toString() ?? ''
  const value = row.trimEnd().split('\t')[column]
  return value === '\\N' ? undefined : value
}
