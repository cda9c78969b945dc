import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'
import { fileIdOf, isStorageKey, type Storage, storageKeyOf, thumbnailKeyOf } from './storage.ts'

const MINUTE = 60_000
/** An upload moves its row each minute; one that has not moved for so many was cut with its server. */
const ABANDONED = 10
/** What was uploaded for a message that never went out is kept for a week, as its draft may be. */
const UNSENT = 7 * 24 * 60
/** No byte is ever without a row, but where somebody restored an older database: they get a week to notice. */
const NAMELESS = 7 * 24 * 60
const SCAN = 24 * 60
const BATCH = 100

/** Minutes after which something is swept. */
export interface Ages {
  abandoned?: number
  unsent?: number
}

/** Removes a batch of files that nobody sees: first their bytes, then their rows. Answers whether there may be more. */
export async function sweepOnce(db: Db, storage: Storage, ages: Ages = {}): Promise<boolean> {
  const { abandoned = ABANDONED, unsent = UNSENT } = ages
  const old = (minutes: number) => sql<string>`now() - make_interval(mins => ${minutes})`
  // Committed before any byte goes: an upload that lives after all finds that its row is gone, and takes its bytes back.
  for (const [state, minutes] of [
    ['pending', abandoned],
    ['ready', unsent],
  ] as const)
    await db
      .updateTable('files')
      .set({ state: 'gone' })
      .where('state', '=', state)
      .where('isShown', '=', false)
      .where('touchedAt', '<=', old(minutes))
      .execute()
  const gone = await db.selectFrom('files').select('id').where('state', '=', 'gone').limit(BATCH).execute()
  if (gone.length === 0) return false
  const ids = gone.map(({ id }) => id)
  await storage.remove(ids.flatMap((id) => [storageKeyOf(id), thumbnailKeyOf(id)]))
  await db.deleteFrom('files').where('id', 'in', ids).where('state', '=', 'gone').execute()
  return gone.length === BATCH
}

/** Removes bytes that no row names, if they are older than so many minutes. Answers how many there were. */
export async function removeOrphanedBytes(db: Db, storage: Storage, minutes = NAMELESS): Promise<number> {
  let removed = 0
  let batch: string[] = []
  const check = async () => {
    if (batch.length === 0) return
    const ids = [...new Set(batch.map(fileIdOf))]
    const rows = await db.selectFrom('files').select('id').where('id', 'in', ids).execute()
    const named = new Set(rows.map(({ id }) => id))
    const nameless = batch.filter((key) => !named.has(fileIdOf(key)))
    if (nameless.length > 0) await storage.remove(nameless)
    removed += nameless.length
    batch = []
  }
  for await (const { key, writtenAt } of storage.list()) {
    if (!isStorageKey(key) || writtenAt > Date.now() - minutes * MINUTE) continue
    batch.push(key)
    if (batch.length === BATCH) await check()
  }
  await check()
  return removed
}

/** Sweeps at the start and each minute, and looks for nameless bytes once a day. */
export function startSweeping({ db, storage, log }: { db: Db; storage: Storage; log: Logger }) {
  let scanAt = Date.now() + MINUTE
  return startPolling(
    { intervalMs: MINUTE, firstDelayMs: 1000, log, failure: 'files could not be swept' },
    async () => {
      const hasMore = await sweepOnce(db, storage)
      if (Date.now() > scanAt) {
        scanAt = Date.now() + SCAN * MINUTE
        const removed = await removeOrphanedBytes(db, storage)
        if (removed > 0) log.warn({ removed }, 'bytes that no file names were removed')
      }
      return hasMore ? 200 : undefined
    },
  )
}
