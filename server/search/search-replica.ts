import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Registry } from 'prom-client'
import type { Db } from '../db/database.ts'
import type { Bounds } from '../limits/bounds.ts'
import { observeSearchReplica } from '../monitoring/replica-metrics.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'
import { isStatementTimeout, openSearchDatabase } from './search-database.ts'

/** A read replica of the database. It may lack the last seconds, so the primary confirms its results. */
export interface SearchReplica {
  pool: pg.Pool
  isAvailable(): boolean
  /**
   * Runs a query on the replica.
   * @returns undefined if the replica cannot answer, so that the caller falls back to the primary
   * @throws PostgreSQL's error if the query takes too long
   */
  run<T>(query: (db: Db) => Promise<T>): Promise<T | undefined>
  /** Counts whether the primary confirmed the replica's results. */
  count(outcome: 'used' | 'outdated'): void
  close(): Promise<void>
}

interface Options {
  /** DATABASE_READ_URL */
  url: string
  primary: Db
  /** To the replica. */
  connections: number
  bounds: Bounds['replica']
  log: Logger
  registry: Registry
}

/** Which workspace a database belongs to, its last migration, and the id after its last completed transaction. */
interface DatabaseState {
  epoch: string
  schema: string
  nextTransaction: string
}

const CHECK_TIMEOUT_MS = 1000
/** The replica cancelled the query, because it conflicted with changes that had to be applied. */
const RECOVERY_CONFLICT = '40001'

/** Opens the replica, and continuously checks whether it can be used. */
export function openSearchReplica({ url, primary, connections, bounds, log, registry }: Options): SearchReplica {
  const onError = ({ message }: Error) => log.warn({ reason: message }, 'a connection to the replica was lost')
  // One extra for the checks, which must not wait for searches.
  const { db, pool } = openSearchDatabase(url, onError, connections + 1)
  const caughtUp = trackProgress()
  /** Rejects running queries; the database may continue them. */
  const running = new Set<(error: Error) => void>()
  let isAvailable = false
  let lastProblem: string | undefined
  let retryAt = 0
  const answers = observeSearchReplica(registry, () => isAvailable)

  function use() {
    if (!isAvailable) log.info('searches use the replica of DATABASE_READ_URL')
    isAvailable = true
    lastProblem = undefined
  }

  function avoid(problem: string) {
    if (problem !== lastProblem)
      log.warn({ reason: problem }, 'searches use the primary database, because the replica cannot be used')
    isAvailable = false
    lastProblem = problem
    retryAt = performance.now() + bounds.retryDelayMs
    for (const abandon of running) abandon(new Error(problem))
  }

  /** Returns why the replica cannot be used. @param askedAt when `expected` was read from the primary */
  async function problemOf(expected: DatabaseState, askedAt: number): Promise<string | undefined> {
    const state = await withTimeout(readState(db)).catch((error: Error) => error)
    if (state instanceof Error) return state.message
    if (state.epoch !== expected.epoch) return 'it is the database of another workspace'
    if (state.schema !== expected.schema) return 'it was not migrated like the primary'
    caughtUp.note(askedAt, expected, state)
    return askedAt - caughtUp.at() > bounds.maxLagMs ? 'it is too far behind' : undefined
  }

  const { checkIntervalMs: intervalMs } = bounds
  const polling = { intervalMs, firstDelayMs: 0, log, failure: 'the replica could not be checked' }
  const stop = startPolling(polling, async () => {
    const askedAt = performance.now()
    if (askedAt < retryAt) return undefined
    // An unresponsive primary is reported elsewhere.
    const expected = await readState(primary).catch(() => undefined)
    if (!expected) return undefined
    const problem = await problemOf(expected, askedAt)
    if (problem === undefined) use()
    else avoid(problem)
    return undefined
  })

  async function run<T>(query: (db: Db) => Promise<T>): Promise<T | undefined> {
    if (!isAvailable) return undefined
    const abandoned = Promise.withResolvers<never>()
    running.add(abandoned.reject)
    try {
      return await Promise.race([query(db), abandoned.promise])
    } catch (error) {
      // The primary would take just as long.
      if (isStatementTimeout(error)) throw error
      const { code, message } = error as Error & { code?: string }
      answers.inc({ outcome: 'failed' })
      if (code !== RECOVERY_CONFLICT) avoid(message)
      return undefined
    } finally {
      running.delete(abandoned.reject)
    }
  }

  return {
    pool,
    isAvailable: () => isAvailable,
    run,
    count: (outcome) => answers.inc({ outcome }),
    async close() {
      await stop()
      await db.destroy()
    },
  }
}

async function readState(db: Db): Promise<DatabaseState> {
  const { rows } = await sql<DatabaseState>`
    select epoch, (select max(name) from migrations) as schema,
      pg_snapshot_xmax(pg_current_snapshot())::text as "nextTransaction"
    from workspace`.execute(db)
  return rows[0] as DatabaseState
}

const withTimeout = <T>(query: Promise<T>): Promise<T> =>
  Promise.race([
    query,
    sleep(CHECK_TIMEOUT_MS, undefined, { ref: false }).then(() => {
      throw new Error('it does not respond')
    }),
  ])

/** Measures how far behind a replica is, without comparing clocks, or log positions, which some services don't reveal. */
function trackProgress() {
  /** The primary's state at some time, until the replica reaches it. */
  let goal: { epoch: string; transaction: bigint; at: number } | undefined
  let caughtUpAt = Number.NEGATIVE_INFINITY
  return {
    /** @param at when the primary was queried, before the replica; milliseconds of the monotonic clock */
    note(at: number, primary: DatabaseState, replica: DatabaseState) {
      if (goal?.epoch !== primary.epoch)
        goal = { epoch: primary.epoch, transaction: BigInt(primary.nextTransaction), at }
      if (BigInt(replica.nextTransaction) < goal.transaction) return
      caughtUpAt = goal.at
      goal = undefined
    },
    /** The last time at which the replica is known to have been caught up. */
    at: () => caughtUpAt,
  }
}
