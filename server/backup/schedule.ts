import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import { isBackupRunning } from '../db/backup-lock.ts'
import { startPolling } from '../process/poll.ts'
import type { Services } from '../services.ts'
import { makeBackup } from './make-backup.ts'
import { openPlace } from './place.ts'

const POLL_INTERVAL_MS = 60_000
/** Delay after a backup that failed, or whose node died. */
const RETRY_MS = 15 * 60_000

/** Makes scheduled backups, each on one node, and exports the time of the last one as a metric. */
export function startBackups(services: Services, databaseUrl: string, registry: Registry) {
  const { config, db, log, storage } = services
  const { place, everyMs, keep } = config.backup
  const ending = new AbortController()
  new Gauge({
    name: 'parley_last_backup_timestamp_seconds',
    help: 'Unix time of the last successful backup, in seconds; 0 if there is none.',
    registers: [registry],
    async collect() {
      // Another node may have made it. While the database is unreachable, the last known value is kept.
      const row = await db
        .selectFrom('workspace')
        .select('backedUpAt')
        .executeTakeFirst()
        .catch(() => undefined)
      if (row) this.set(row.backedUpAt ? Date.parse(row.backedUpAt) / 1000 : 0)
    },
  })
  const stop = startPolling(
    { intervalMs: POLL_INTERVAL_MS, firstDelayMs: 2000, log, failure: 'the backup failed' },
    async () => {
      if (place && everyMs && (await claimBackup(services, everyMs))) {
        const opened = await openPlace(place)
        const onWarning = (sentence: string) => log.warn(sentence)
        const progress = { onTable: () => {}, onFiles: () => {}, onWarning }
        const options = { databaseUrl, db, storage, place: opened, keep, signal: ending.signal, ...progress }
        const { name, files } = await makeBackup(options)
        log.info({ backup: name, files: files?.count, missing: files?.missing }, 'backed up')
      }
      return undefined
    },
  )
  return async () => {
    ending.abort()
    await stop()
  }
}

/** Whether a backup is due and this node should make it. */
export async function claimBackup({ db }: Pick<Services, 'db'>, everyMs: number): Promise<boolean> {
  if (await isBackupRunning(db)) return false
  // A time in the future dates from before the database's clock was set back.
  const isOlder = (column: string, ms: number) => sql<boolean>`
    coalesce(${sql.ref(column)} not between clock_timestamp() - make_interval(secs => ${ms / 1000})
      and clock_timestamp() + interval '1 minute', true)`
  const { numUpdatedRows } = await db
    .updateTable('workspace')
    .set({ backupTriedAt: sql<string>`clock_timestamp()` })
    .where(isOlder('backedUpAt', everyMs))
    .where(isOlder('backupTriedAt', Math.min(everyMs, RETRY_MS)))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
