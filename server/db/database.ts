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
 * A time in the API's format. The session's time zone is UTC: '2026-11-20 06:40:34.12+00' → '2026-11-20T06:40:34.120Z'.
 * @param text in the database's format, or that of its JSON: '2026-11-20T06:40:34.12+00:00'
 */
export function isoTime(text: string): string {
  const end = text.indexOf('+00', 19)
  const isUsual = end >= 0 && end <= 23
  return isUsual
    ? `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, end).padEnd(3, '0')}Z`
    : new Date(text).toISOString()
}

/** For queries and for acquiring a connection: a frozen database must not hang a request. */
const QUERY_TIMEOUT_MS = 3_000
/**
 * The database's own timeout, for queries that have already timed out here. It is longer than ours, because cancelling a commit
 * that waits for a standby reports it as successful.
 */
const STATEMENT_TIMEOUT_MS = QUERY_TIMEOUT_MS + 500
/** After this, the database terminates an idle transaction and releases its locks. */
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000

interface PoolOptions {
  /** Called for each lost connection, in use or idle. */
  onError: (error: Error) => void
  /** Called for each query that failed because the database's disk is full. */
  onDiskFull?: () => void
  /** Maximum number of connections. */
  max?: number
  /** For queries and connections, here and in the database; 0 for none. */
  timeoutMs?: number
  types?: pg.CustomTypesConfig
  /** PostgreSQL's settings for these connections. */
  settings?: Record<string, string>
}

/** Errors of queries and connections, as opposed to those of other network services. */
const ofDatabase = new WeakSet<Error>()

/** Passed on by the pool to its clients. */
interface ClientOptions extends pg.ClientConfig {
  onDiskFull: () => void
}

/** @param running the result of a pool's or client's method; not a promise if a callback was passed */
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
 * Closes its connection after a query timed out: the query may still be running, inside a transaction. The pool would only do so
 * for `pool.query`; Kysely returns the connection to the pool as usable.
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

/** The pool's `query` and `connect` call its clients' methods with callbacks. */
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

/** PostgreSQL has the last one since version 17. */
const TIMEOUTS = [
  'statement_timeout',
  'idle_in_transaction_session_timeout',
  'idle_session_timeout',
  'transaction_timeout',
]

/** Lifts what the database's own settings limit, for work that takes hours. */
export const liftTimeouts = (client: pg.ClientBase) =>
  client.query(`select set_config(name, '0', false) from pg_settings where name = any($1)`, [TIMEOUTS])

/** A pool, which connects on demand. */
export function openPool(connectionString: string, options: PoolOptions) {
  const { onError, onDiskFull = () => {}, max = 16, timeoutMs = QUERY_TIMEOUT_MS, types } = options
  const settings = {
    timezone: 'UTC',
    statement_timeout: String(STATEMENT_TIMEOUT_MS),
    idle_in_transaction_session_timeout: String(IDLE_TRANSACTION_TIMEOUT_MS),
    ...options.settings,
  }
  const pool = new NotedPool({
    Client: NotedClient,
    onDiskFull,
    connectionString,
    max,
    query_timeout: timeoutMs,
    connectionTimeoutMillis: timeoutMs,
    // Not sent as startup options, which a pooler in front of the database may reject.
    onConnect: async (client) => {
      const values = Object.entries(settings).flat()
      const calls = values.flatMap((_, i) => (i % 2 ? [] : [`set_config($${i + 1}, $${i + 2}, false)`]))
      await client.query(`select ${calls.join(', ')}`, values)
      if (timeoutMs === 0) await liftTimeouts(client)
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

// Connection lost, out of resources, shutting down, lock timeout, or a replica that is not promoted yet.
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
/** Resolves to undefined if a table or column is missing because its migration has not run yet. */
export const noneIfMissing = <T>(query: Promise<T>): Promise<T | undefined> =>
  query.catch((error) => {
    if (MISSING_TABLE_OR_COLUMN.test((error as { code?: string }).code ?? '')) return undefined
    throw error
  })

/** Whether the database failed to respond, rather than rejecting the query. */
function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error) || isDiskFull(error)) return false
  const { code, routine } = error as { code?: string; routine?: string }
  // With a code location it comes from PostgreSQL, and means the statement. Poolers use the code for everything.
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
 * Whether the database rejected a statement because its disk is full, so that nothing of its transaction is stored. If it stops
 * for that reason instead (PANIC), the outcome of a commit is unknown.
 */
const isDiskFull = (error: unknown) =>
  error instanceof pg.DatabaseError && error.code === DISK_FULL && error.severity === 'ERROR'

/** The response to a database error; undefined for other errors, and for our own faults. */
export function databaseFailure(error: unknown): AppError | undefined {
  if (isDiskFull(error)) return diskFull()
  return isUnavailable(error) ? unavailable(error) : undefined
}
