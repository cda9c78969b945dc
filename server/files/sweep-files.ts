import { sql } from 'kysely'
import { isBackupRunning } from '../db/backup-lock.ts'
import { databaseTime } from '../db/clock.ts'
import type { Db } from '../db/database.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'
import { fileIdOf, isStorageKey, type Storage, storageKeyOf, thumbnailKeyOf } from './storage.ts'

const MINUTE_MS = 60_000
const NEXT_BATCH_DELAY_MS = 200
/** A running upload touches its row every minute; after this long without, its server must have died. */
const ABANDONED_AFTER_MINUTES = 10
/** Files of unsent messages are kept for a week, as their draft may be. */
const UNSENT_RETENTION_MINUTES = 7 * 24 * 60
/** Bytes without a row only exist after an older database was restored; leaves a week to notice. */
export const ORPHAN_RETENTION_MINUTES = 7 * 24 * 60
const ORPHAN_SCAN_INTERVAL_HOURS = 24
const BATCH_SIZE = 100

/** Minutes after which something is swept. */
interface Ages {
  abandoned?: number
  unsent?: number
}

/**
 * Removes a batch of hidden files: first their bytes, then their rows. Returns whether more may remain. Concurrent nodes may
 * remove the same bytes twice, which is harmless, and don't wait for each other's rows.
 */
export async function sweepOnce(db: Db, storage: Storage, ages: Ages = {}): Promise<boolean> {
  const { abandoned = ABANDONED_AFTER_MINUTES, unsent = UNSENT_RETENTION_MINUTES } = ages
  const old = (minutes: number) => sql<string>`now() - make_interval(mins => ${minutes})`
  // Committed before any bytes are removed: an upload that is alive after all finds its row gone and discards its bytes.
  for (const [state, minutes] of [
    ['pending', abandoned],
    ['ready', unsent],
  ] as const)
    await db
      .updateTable('files')
      .set({ state: 'gone' })
      .where('id', 'in', ({ selectFrom }) =>
        selectFrom('files')
          .select('id')
          .where('state', '=', state)
          .where('isShown', '=', false)
          .where('scheduledId', 'is', null)
          .where('touchedAt', '<=', old(minutes))
          .limit(BATCH_SIZE)
          .forUpdate()
          .skipLocked(),
      )
      .execute()
  const gone = await db.selectFrom('files').select('id').where('state', '=', 'gone').limit(BATCH_SIZE).execute()
  if (gone.length === 0) return false
  // Checked after the rows were read: a backup that begins now does not list them.
  if (await isBackupRunning(db)) return false
  const ids = gone.map(({ id }) => id)
  await storage.remove(ids.flatMap((id) => [storageKeyOf(id), thumbnailKeyOf(id)]))
  await db
    .deleteFrom('files')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('files').select('id').where('id', 'in', ids).where('state', '=', 'gone').forUpdate().skipLocked(),
    )
    .execute()
  return gone.length === BATCH_SIZE
}

/** Removes bytes without a row that are older than `minutes`. Returns their number. */
export async function removeOrphanedBytes(
  db: Db,
  storage: Storage,
  minutes = ORPHAN_RETENTION_MINUTES,
): Promise<number> {
  let removed = 0
  let batch: string[] = []
  const check = async () => {
    if (batch.length === 0) return
    const ids = [...new Set(batch.map(fileIdOf))]
    const rows = await db.selectFrom('files').select('id').where('id', 'in', ids).execute()
    const named = new Set(rows.map(({ id }) => id))
    const orphaned = batch.filter((key) => !named.has(fileIdOf(key)))
    if (orphaned.length > 0) await storage.remove(orphaned)
    removed += orphaned.length
    batch = []
  }
  for await (const { key, writtenAt } of storage.list()) {
    if (!isStorageKey(key) || writtenAt > databaseTime() - minutes * MINUTE_MS) continue
    batch.push(key)
    if (batch.length === BATCH_SIZE) await check()
  }
  await check()
  return removed
}

/**
 * Whether a scan for orphaned bytes is due and this node should do it: listing a store takes long and costs money. If the node
 * fails or dies during it, the next scan is a day later.
 */
export async function claimOrphanScan(db: Db): Promise<boolean> {
  const lastScan = sql<string>`now() - make_interval(hours => ${sql.lit(ORPHAN_SCAN_INTERVAL_HOURS)})`
  const { numUpdatedRows } = await db
    .updateTable('workspace')
    .set({ orphansScannedAt: sql<string>`now()` })
    .where(({ or, eb }) => or([eb('orphansScannedAt', 'is', null), eb('orphansScannedAt', '<=', lastScan)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Sweeps at startup and every minute. Once a day, one of the nodes removes orphaned bytes. */
export function startSweeping({ db, storage, log }: { db: Db; storage: Storage; log: Logger }) {
  return startPolling(
    { intervalMs: MINUTE_MS, firstDelayMs: 1000, log, failure: 'files could not be swept' },
    async () => {
      if (await sweepOnce(db, storage)) return NEXT_BATCH_DELAY_MS
      if (await claimOrphanScan(db)) {
        const removed = await removeOrphanedBytes(db, storage)
        if (removed > 0) log.warn({ removed }, 'removed bytes that belong to no file')
      }
      return undefined
    },
  )
}
