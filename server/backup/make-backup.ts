import { Readable } from 'node:stream'
import pg from 'pg'
import { writeAudit } from '../audit/write-audit.ts'
import { StartError } from '../config/start-error.ts'
import { lockForBackup } from '../db/backup-lock.ts'
import type { Db } from '../db/database.ts'
import type { Storage } from '../files/storage.ts'
import { copyFiles, noteFiles, type Progress } from './copy-files.ts'
import { dumpDatabase } from './dump-database.ts'
import { epochKey, type Manifest, newName, secretsKey, writeManifest } from './manifest.ts'
import { writePacked } from './packed.ts'
import { findReadable, pruneBackups } from './prune-backups.ts'

export interface BackupProgress {
  onTable: (table: string) => void
  onFiles: Progress
  /** Called with the reason why old backups could not be removed completely. */
  onWarning?: (sentence: string) => void
}

interface Options extends BackupProgress {
  databaseUrl: string
  db: Db
  storage: Storage
  place: Storage
  keep: number
  /** The identity's secret, if it is to be included in the backup. */
  secret?: string | undefined
  signal?: AbortSignal | undefined
}

/**
 * Backs up a running server: first a snapshot of the database, then the files that it refers to. During the backup, no node
 * removes the bytes of deleted files.
 * @throws StartError
 */
export async function makeBackup(options: Options): Promise<Manifest> {
  const { db, storage, place, keep, secret, signal } = options
  const make = async (client: pg.Client) => {
    if (!(await lockForBackup(client))) throw new StartError('Another backup of this workspace is running.')
    await beginSnapshot(client)
    const previous = await findReadable(place)
    const name = await newName(place)
    const epoch = await markEpoch(client, place, name)
    const dump = await dumpDatabase({ client, place, name, onTable: options.onTable })
    if (previous && previous.filesId !== dump.filesId)
      throw new StartError('This place holds the backups of another workspace: set BACKUP_TO to a place of its own.')
    const noted = await noteFiles(client)
    try {
      await client.query('commit')
      const { onFiles: onProgress } = options
      const files = await copyFiles({ noted, storage, place, name, previous, onProgress, signal })
      const secrets =
        secret && (await writePacked(place, secretsKey(name), Readable.from([JSON.stringify({ identity: secret })])))
      const manifest = { format: 1 as const, name, ...dump, files, ...(secrets && { secrets }) }
      await requireLock(client)
      await writeManifest(place, manifest)
      await place.remove([epochKey(name, epoch)])
      await record(db, manifest)
      for (const reason of await pruneBackups(place, keep, epoch)) options.onWarning?.(reason)
      return manifest
    } finally {
      await noted.remove()
    }
  }
  return withConnection(options.databaseUrl, make, signal)
}

/**
 * The lock is lost with its connection. In that case other nodes may have removed files, including ones that were already copied.
 * @throws StartError
 */
async function requireLock(client: pg.Client) {
  await client.query('select').catch(() => {
    throw new StartError(
      'The connection to the database was lost meanwhile, so the backup may lack files: back up again.',
    )
  })
}

/** Runs on a separate connection, which the signal terminates, whatever it is waiting for. Its locks end with it. */
export async function withConnection<T>(
  connectionString: string,
  act: (client: pg.Client) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const client = new pg.Client({ connectionString, application_name: 'parley backup', keepAlive: true })
  client.on('error', () => {})
  const end = () => client.end().catch(() => {})
  await client.connect()
  signal?.addEventListener('abort', end)
  try {
    signal?.throwIfAborted()
    await client.query(`set timezone = 'UTC'; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`)
    return await act(client)
  } finally {
    signal?.removeEventListener('abort', end)
    await end()
  }
}

/** From now on, the connection sees the current state of the database, without blocking writes. */
export const beginSnapshot = (client: pg.Client) => client.query('begin isolation level repeatable read read only')

/** Marks the backup as ours, so that a copy of this database that uses the same place by mistake leaves it alone. */
async function markEpoch(client: pg.Client, place: Storage, name: string): Promise<string> {
  const { rows } = await client.query<{ epoch: string }>('select epoch from workspace')
  const { epoch } = rows[0] as { epoch: string }
  await place.write(epochKey(name, epoch), Readable.from([Buffer.from(name)]))
  return epoch
}

async function record(db: Db, { name, madeAt, files }: Manifest) {
  await db.transaction().execute(async (tx) => {
    await tx.updateTable('workspace').set({ backedUpAt: madeAt }).execute()
    const details = { name, files: files?.count ?? 0 }
    await writeAudit(tx, { kind: 'backup_made', actorId: null, details })
  })
}
