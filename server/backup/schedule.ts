import { sql } from 'kysely'
import { Gauge, type Registry } from 'prom-client'
import { isBackupRunning } from '../db/backup-lock.ts'
import type { Db } from '../db/database.ts'
import { startPolling } from '../process/poll.ts'
import type { Services } from '../services.ts'
import { type LastBackup, readLastBackup } from './last-backup.ts'
import { makeBackup } from './make-backup.ts'
import { openPlace } from './place.ts'

const POLL_INTERVAL_MS = 60_000
/** Delay after a backup that failed, or whose node died. */
const RETRY_MS = 15 * 60_000

interface Options {
  databaseUrl: string
  secret: string
  metrics: { registry: Registry }
}

/** Makes scheduled backups, each on one node, and exports the time and result of the last one as metrics. */
export function startBackups(services: Services, { databaseUrl, secret, metrics }: Options) {
  const { config, db, log, storage } = services
  const { place, everyMs, keep, passphrase } = config.backup
  const secrets = passphrase === undefined ? undefined : { identity: secret, passphrase }
  const ending = new AbortController()
  exportLastBackup(db, metrics.registry)
  const stop = startPolling(
    { intervalMs: POLL_INTERVAL_MS, firstDelayMs: 2000, log, failure: 'the backup failed' },
    async () => {
      if (place && everyMs && (await claimBackup(services, everyMs))) {
        log.info('backing up')
        const { name, files } = await makeBackup({
          ...{ databaseUrl, db, storage, place: await openPlace(place), keep, secrets, signal: ending.signal },
          onWarning: (sentence) => log.warn(sentence),
        })
        const { seconds, bytes } = await readLastBackup(db)
        log.info({ backup: name, seconds, bytes, files: files?.count, missing: files?.missing }, 'backed up')
      }
      return undefined
    },
  )
  return async () => {
    ending.abort()
    await stop()
  }
}

function exportLastBackup(db: Db, registry: Registry) {
  let reading: Promise<LastBackup | undefined> | undefined
  // All are collected at the same time.
  const read = () => {
    reading ??= readLastBackup(db)
      .catch(() => undefined)
      .finally(() => {
        reading = undefined
      })
    return reading
  }
  const gauge = (name: string, help: string, value: (last: LastBackup) => number) =>
    new Gauge({
      ...{ name: `parley_last_backup_${name}`, help, registers: [registry] },
      async collect() {
        // Another node may have made it. While the database is unreachable, the last known value is kept.
        const last = await read()
        if (last) this.set(value(last))
      },
    })
  gauge(
    'timestamp_seconds',
    'Unix time of the last successful backup, in seconds; 0 if there is none.',
    ({ madeAt }) => (madeAt?.getTime() ?? 0) / 1000,
  )
  gauge('failed', '1 if the last attempt to back up failed, else 0.', ({ failure }) => (failure === undefined ? 0 : 1))
  gauge('duration_seconds', 'How long the last successful backup took.', ({ seconds }) => seconds)
  gauge('bytes', 'Size of the last successful backup: its tables, compressed, and its files.', ({ bytes }) => bytes)
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
