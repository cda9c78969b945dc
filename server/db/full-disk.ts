import type pg from 'pg'
import { Gauge, type Registry } from 'prom-client'
import type { Config } from '../config/config.ts'
import type { Logger } from '../process/logger.ts'
import { type StopPolling, startPolling } from '../process/poll.ts'

interface Options {
  config: Pick<Config, 'databaseUrl' | 'dataDir'>
  /** Called when the disk is checked. */
  pool: () => pg.Pool
  registry: Registry
  log: Logger
}

export interface DatabaseDisk {
  /** Call when the database rejected a statement because its disk is full. */
  noteFull(): void
  isFull(): boolean
  stop(): Promise<void>
}

const CHECK_INTERVAL_MS = 2_000
/**
 * Writes a temporary file of 1 MB to the database's disk, because PostgreSQL doesn't report free space. Unlike a write to a
 * table, it needs no WAL: running out of space for that stops PostgreSQL.
 */
const CHECK = `begin; set local work_mem = '64kB'; select count(*) from generate_series(1, 70000); commit`

/** Tracks whether the database's disk is full, from the first rejected statement until there is space again. */
export function watchDatabaseDisk({ config, pool, registry, log }: Options): DatabaseDisk {
  let isFull = false
  let isStopped = false
  /** Whether statements were rejected since the last check. */
  let isRefusing = false
  let stopChecking: StopPolling | undefined

  async function check() {
    const wasRefusing = isRefusing
    isRefusing = false
    const hasRoom = await pool()
      .query(CHECK)
      .then(
        () => true,
        () => false,
      )
    if (wasRefusing || !hasRoom || isStopped) return undefined
    isFull = false
    log.info('the database’s disk has space again')
    void stopChecking?.()
    return undefined
  }

  new Gauge({
    name: 'parley_database_disk_full',
    help: '1 from the first statement that the database rejects because its disk is full, until there is space again.',
    registers: [registry],
    collect() {
      this.set(isFull ? 1 : 0)
    },
  })
  return {
    noteFull() {
      isRefusing = true
      if (isFull || isStopped) return
      isFull = true
      log.error(`the database’s disk (${placeOf(config)}) is full: nothing can be stored until there is space on it`)
      const options = { intervalMs: CHECK_INTERVAL_MS, log, failure: 'the database’s disk could not be checked' }
      stopChecking = startPolling(options, check)
    },
    isFull: () => isFull,
    async stop() {
      isStopped = true
      await stopChecking?.()
    },
  }
}

const placeOf = ({ databaseUrl, dataDir }: Options['config']) =>
  databaseUrl === undefined ? `DATA_DIR ${dataDir}` : `of ${URL.parse(databaseUrl)?.host ?? 'DATABASE_URL'}`
