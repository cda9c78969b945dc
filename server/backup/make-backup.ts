import { Readable } from 'node:stream'
import pg from 'pg'
import { StartError } from '../config/start-error.ts'
import { lockForBackup } from '../db/backup-lock.ts'
import { type Db, liftTimeouts } from '../db/database.ts'
import type { Storage } from '../files/storage.ts'
import { VERSION_NAME } from '../installation.ts'
import { copyFiles, noteFiles } from './copy-files.ts'
import { dumpDatabase } from './dump-database.ts'
import { recordBackup, recordFailure } from './last-backup.ts'
import { epochKey, listBackups, type Manifest, newName, tableKey, writeManifest } from './manifest.ts'
import type { OnProgress } from './progress.ts'
import { findReadable, isUnderWay, pruneBackups, removeBackup } from './prune-backups.ts'
import { writeSecrets } from './secrets-in-backup.ts'

interface Options {
  databaseUrl: string
  db: Db
  storage: Storage
  place: Storage
  keep: number
  /** The identity's secret, and the passphrase that encrypts it, if it is to be included. */
  secrets?: { identity: string; passphrase: string } | undefined
  onProgress?: OnProgress | undefined
  /** Called with the reason why old backups could not be removed completely. */
  onWarning?: (sentence: string) => void
  /** Whether its time and result are those of the workspace's backups. */
  isRegular?: boolean
  signal?: AbortSignal | undefined
}

/**
 * Backs up a running server: first a snapshot of the database, then the files that it refers to. During the backup, no node
 * removes the bytes of deleted files.
 * @throws StartError
 */
export async function makeBackup(options: Options): Promise<Manifest> {
  const { databaseUrl, db, signal, isRegular = true } = options
  const startedAt = performance.now()
  try {
    return await withConnection(databaseUrl, (client) => makeOver(client, options), signal)
  } catch (error) {
    const isOwn = isRegular && !(error instanceof AnotherBackup) && !signal?.aborted
    // The database may be what failed.
    if (isOwn) await recordFailure(db, error as Error, (performance.now() - startedAt) / 1000).catch(() => {})
    throw error
  }
}

async function makeOver(client: pg.Client, options: Options): Promise<Manifest> {
  const { db, place, keep, signal, onWarning, isRegular = true } = options
  const startedAt = performance.now()
  let isLost = false
  client.on('error', () => {
    isLost = true
  })
  if (!(await lockForBackup(client))) throw new AnotherBackup()
  await beginSnapshot(client)
  const previous = await findReadable(place)
  const { epoch, filesId } = await readWorkspace(client)
  if (previous && previous.filesId !== filesId)
    throw new StartError('This place holds the backups of another workspace: set BACKUP_TO to a place of its own.')
  const name = await newName(place)
  // What killed backups have left may be the space that this one needs.
  for (const backup of await listBackups(place))
    if (!backup.isComplete && !(await isUnderWay(place, backup.name, epoch))) await removeBackup(place, backup.name)
  const manifest = await write(client, options, { name, epoch, previous }).catch(async (error) => {
    // Otherwise a full disk would stay full. What was copied of the files is of use for the next backup.
    if (!signal?.aborted) await removeBackup(place, name).catch(() => {})
    throw isLost && !signal?.aborted ? new LostConnection() : error
  })
  await place.remove([epochKey(name, epoch)])
  await recordBackup(db, manifest, isRegular ? (performance.now() - startedAt) / 1000 : undefined)
  const reasons = await pruneBackups(place, keep, epoch).catch((error: Error) => [
    `Old backups could not be removed: ${error.message}`,
  ])
  for (const reason of reasons) onWarning?.(reason)
  return manifest
}

interface About {
  name: string
  epoch: string
  previous: Manifest | undefined
}

async function write(client: pg.Client, options: Options, { name, epoch, previous }: About): Promise<Manifest> {
  const { storage, place, signal, onProgress } = options
  // Marks it as ours, so that a copy of this database that uses the same place by mistake leaves it alone.
  await place.write(epochKey(name, epoch), Readable.from([Buffer.from(name)]))
  const dump = await dumpDatabase({ client, place, name, onProgress })
  const noted = await noteFiles(client)
  try {
    await client.query('commit')
    const files = await copyFiles({ noted, storage, place, name, previous, onProgress, signal })
    const secrets = options.secrets && (await writeSecrets(place, name, options.secrets))
    await requireTables(place, name, dump)
    await requireLock(client)
    const content = { name, version: VERSION_NAME, ...dump, files }
    return await writeManifest(place, secrets ? { ...content, secrets } : content)
  } finally {
    await noted.remove()
  }
}

/** A place that was unmounted meanwhile, or lost its folders, lacks what was written before. @throws StartError */
async function requireTables(place: Storage, name: string, { tables }: Pick<Manifest, 'tables'>) {
  for (const table of tables)
    if ((await place.sizeOf(tableKey(name, table.name))) !== table.size)
      throw new StartError(`The backup lost ${tableKey(name, table.name)} while it was made: examine its place.`)
}

class AnotherBackup extends StartError {
  constructor() {
    super('Another backup of this workspace is running.')
  }
}

/**
 * The lock is lost with its connection. In that case other nodes may have removed files, including ones that were already copied.
 * @throws StartError
 */
async function requireLock(client: pg.Client) {
  await client.query('select').catch(() => {
    throw new LostConnection()
  })
}

class LostConnection extends StartError {
  constructor() {
    super('The connection to the database was lost meanwhile, so the backup may lack files: back up again.')
  }
}

/** Networks forget connections that are idle for some minutes. */
const KEEP_ALIVE_MS = 30_000

/** Runs on a separate connection, which the signal terminates, whatever it is waiting for. Its locks end with it. */
export async function withConnection<T>(
  connectionString: string,
  act: (client: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const client = new pg.Client({
    connectionString,
    application_name: 'parley backup',
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  })
  client.on('error', () => {})
  const end = () => client.end().catch(() => {})
  await client.connect()
  signal?.addEventListener('abort', end)
  try {
    signal?.throwIfAborted()
    await client.query(`set timezone = 'UTC'`)
    await liftTimeouts(client)
    return await act(client)
  } finally {
    signal?.removeEventListener('abort', end)
    await end()
  }
}

/** From now on, the connection sees the current state of the database, without blocking writes. */
export const beginSnapshot = (client: pg.Client) => client.query('begin isolation level repeatable read read only')

async function readWorkspace(client: pg.Client) {
  const { rows } = await client.query<{ epoch: string; filesId: string }>('select epoch, "filesId" from workspace')
  return rows[0] as NonNullable<(typeof rows)[0]>
}
