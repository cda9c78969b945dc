import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { type AppError, diskFull, unavailable } from '../errors.ts'
import type { DB } from './schema.ts'

export type Db = Kysely<DB>

const { builtins } = pg.types
const parsers: Record<number, (text: string) => unknown> = {
  // Counters stay far below 2^53, and JSON carries numbers.
  [builtins.INT8]: Number,
  [builtins.TIMESTAMPTZ]: isoTime,
}

/**
 * A time as the API sends it. The session's time zone is UTC: '2026-11-20 06:40:34.12+00' → '2026-11-20T06:40:34.120Z'.
 * @param text as the database writes it, also inside JSON: '2026-11-20T06:40:34.12+00:00'
 */
export function isoTime(text: string): string {
  const end = text.indexOf('+00', 19)
  const isUsual = end >= 0 && end <= 23
  return isUsual
    ? `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, end).padEnd(3, '0')}Z`
    : new Date(text).toISOString()
}

/** For a query, and for getting a connection: a frozen database must not hang a request. */
const QUERY_TIMEOUT_MS = 3_000
/**
 * The database's own timeout, for queries that were already given up here. It is longer than ours, because a commit that
 * waits for a standby is reported as successful when it is cancelled.
 */
const STATEMENT_TIMEOUT_MS = QUERY_TIMEOUT_MS + 500
/** After it, the database ends an idle transaction and releases its locks. */
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000

interface PoolOptions {
  /** Called for each lost connection, in use or idle. */
  onError: (error: Error) => void
  /** Called for each query that failed because the database's disk is full. */
  onDiskFull?: () => void
  /** Connections. */
  max?: number
  /** For queries and connections, here and in the database; 0 for none. */
  timeoutMs?: number
  types?: pg.CustomTypesConfig
  /** PostgreSQL's settings for these connections. */
  settings?: Record<string, string>
}

/** Errors of queries and connections, as opposed to those of other services that are reached over a network. */
const ofDatabase = new WeakSet<Error>()

/** Passed on by the pool to its clients. */
interface ClientOptions extends pg.ClientConfig {
  onDiskFull: () => void
}

/** @param running what a method of a pool or a client returned, which is no promise if it got a callback */
function noteFailure(running: unknown, onDiskFull: () => void, onTimeout?: () => void) {
  if (!(running instanceof Promise)) return
  running.catch((error: unknown) => {
    if (!(error instanceof Error)) return
    ofDatabase.add(error)
    if (isDiskFull(error)) onDiskFull()
    if (error.message === QUERY_TIMEOUT) onTimeout?.()
  })
}

/**
 * Closes its connection after a query timed out: the query may still run, inside a transaction. The pool itself would do so
 * only for `pool.query`; Kysely returns the connection to the pool as usable.
 */
class NotedClient extends pg.Client {
  readonly #onDiskFull: () => void

  constructor(options?: ClientOptions) {
    super(options)
    this.#onDiskFull = options?.onDiskFull ?? (() => {})
  }

  // biome-ignore lint/suspicious/noExplicitAny: the many overloads of `query`
  override query(...args: [any]): any {
    const result: unknown = super.query(...args)
    noteFailure(result, this.#onDiskFull, () => this.end().catch(() => {}))
    return result
  }
}

/** Its own `query` and `connect` call its clients' methods with callbacks. */
class NotedPool extends pg.Pool {
  readonly #onDiskFull: () => void

  constructor(options: pg.PoolConfig & ClientOptions) {
    super(options)
    this.#onDiskFull = options.onDiskFull
  }

  // biome-ignore lint/suspicious/noExplicitAny: the many overloads of `query`
  override query(...args: [any]): any {
    const result: unknown = super.query(...args)
    noteFailure(result, this.#onDiskFull)
    return result
  }

  // biome-ignore lint/suspicious/noExplicitAny: the overloads of `connect`
  override connect(...args: [any?]): any {
    const result: unknown = super.connect(...(args as [never]))
    noteFailure(result, this.#onDiskFull)
    return result
  }
}

/** A pool, which connects on demand. */
export function openPool(connectionString: string, options: PoolOptions) {
  const { onError, onDiskFull = () => {}, max = 16, timeoutMs = QUERY_TIMEOUT_MS, types } = options
  const statementTimeoutMs = timeoutMs === 0 ? 0 : STATEMENT_TIMEOUT_MS
  const settings = {
    timezone: 'UTC',
    statement_timeout: String(statementTimeoutMs),
    idle_in_transaction_session_timeout: String(timeoutMs === 0 ? 0 : IDLE_TRANSACTION_TIMEOUT_MS),
    ...options.settings,
  }
  const pool = new NotedPool({
    Client: NotedClient,
    onDiskFull,
    connectionString,
    max,
    query_timeout: timeoutMs,
    connectionTimeoutMillis: timeoutMs,
    // Not as startup options, which a pooler in front of the database may refuse.
    onConnect: async (client) => {
      const values = Object.entries(settings).flat()
      const calls = values.flatMap((_, i) => (i % 2 ? [] : [`set_config($${i + 1}, $${i + 2}, false)`]))
      await client.query(`select ${calls.join(', ')}`, values)
    },
    ...(types && { types }),
  })
  // Without listeners on the pool and on each client, a lost connection would crash the process.
  const onLost = (error: Error) => {
    // Connections may still be closing when the database stops.
    if (!pool.ending) onError(error)
  }
  pool.on('error', onLost)
  pool.on('connect', (client) => client.on('error', onLost))
  return pool
}

const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') => parsers[id] ?? pg.types.getTypeParser(id, format),
} as pg.CustomTypesConfig

export interface Database {
  db: Db
  /** For the few frequent statements that are prepared once per connection. */
  pool: pg.Pool
}

/** Queries return times as ISO strings and counters as numbers, as the API sends them. */
export function openDatabase(connectionString: string, options: Omit<PoolOptions, 'types'>): Database {
  const pool = openPool(connectionString, { ...options, types })
  return { db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }), pool }
}

// Connection lost, out of resources, shutting down, lock timeout; a replica that is not promoted yet.
const UNAVAILABLE_CODES = /^(08|53|57|55P03|25006)/
const STATEMENT_TIMEOUT = '57014'
const PROTOCOL_VIOLATION = '08P01'
const DISK_FULL = '53100'
const QUERY_TIMEOUT = 'Query read timeout'
/** The host is unknown or unreachable, or the connection broke. */
export const NETWORK_CODES = /^(ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH)$/
const UNAVAILABLE_MESSAGES =
  /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated|Client (has encountered|was closed)|Cannot use a pool after|driver has already been)/
/** Whether a query itself timed out, here or in the database. */
export const isTimeout = (error: unknown) =>
  error instanceof Error && (error.message === QUERY_TIMEOUT || (error as { code?: string }).code === STATEMENT_TIMEOUT)

const MISSING_TABLE_OR_COLUMN = /^(42P01|42703)$/
/** Undefined if a table or column does not exist yet, because its migration did not run. */
export const noneIfMissing = <T>(query: Promise<T>): Promise<T | undefined> =>
  query.catch((error) => {
    if (MISSING_TABLE_OR_COLUMN.test((error as { code?: string }).code ?? '')) return undefined
    throw error
  })

/** Whether the database did not respond, rather than refuse the query. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || isDiskFull(error)) return false
  const { code, routine } = error as { code?: string; routine?: string }
  // With the place in its code, PostgreSQL says it of a statement. Poolers say it of all that happens to them.
  if (code === PROTOCOL_VIOLATION && routine !== undefined) return false
  return (
    UNAVAILABLE_MESSAGES.test(error.message) ||
    (ofDatabase.has(error) && isOfNetwork(error)) ||
    (code !== undefined && code.length === 5 && UNAVAILABLE_CODES.test(code))
  )
}

/** An AggregateError has one error for each of a host's addresses. */
function isOfNetwork(error: Error): boolean {
  if (error instanceof AggregateError) return error.errors.some(isOfNetwork)
  return NETWORK_CODES.test((error as { code?: string }).code ?? '')
}

/**
 * Whether the database refused a statement because its disk is full, so that nothing of its transaction is stored. If it
 * stops for that reason instead (PANIC), the outcome of a commit is unknown.
 */
const isDiskFull = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === DISK_FULL && error.severity === 'ERROR'

/** The answer to an error of the database; undefined if it is none, or a fault of ours. */
export function databaseFailure(error: unknown): AppError | undefined {
  if (isDiskFull(error)) return diskFull()
  return isUnavailable(error) ? unavailable(error) : undefined
}
