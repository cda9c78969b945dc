import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DB } from './schema.ts'

export type Db = Kysely<DB>

const { builtins } = pg.types
const parsers: Record<number, (text: string) => unknown> = {
  // Counters stay far below 2^53; a number is what the wire carries.
  [builtins.INT8]: Number,
  // The session's time zone is UTC: '2026-11-20 06:40:34.12+00' → '2026-11-20T06:40:34.120Z'.
  [builtins.TIMESTAMPTZ]: (text) =>
    text.length <= 26 && text.endsWith('+00')
      ? `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`
      : new Date(text).toISOString(),
}

/** Milliseconds until a query, or the wait for a connection, is given up: a frozen database must not hang a request. */
const QUERY_TIMEOUT_MS = 3_000
/**
 * Milliseconds after which the database itself ends what was given up here, so that it does not run on for nobody; later
 * than we do, because a commit that waits for a standby counts as done when it is ended.
 */
const STATEMENT_TIMEOUT_MS = QUERY_TIMEOUT_MS + 500
/** Milliseconds after which it ends a transaction that asks for nothing more, with all that it has locked. */
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000

interface PoolOptions {
  /** Hears of connections that broke, used or idle. */
  onError: (error: Error) => void
  /** Connections at the most. */
  max?: number
  /** Milliseconds; 0 waits as long as it takes, here and in the database. */
  patience?: number
  types?: pg.CustomTypesConfig
  /** Settings of PostgreSQL for these connections. */
  settings?: Record<string, string>
}

/**
 * A query that was given up still runs, and may be the beginning of a transaction: its connection is used no more.
 * (The pool drops it only where the pool itself was asked; Kysely gives it back as if it were good.)
 */
class ImpatientClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: the many overloads of `query`
  override query(...given: [any]): any {
    const answer: unknown = super.query(...given)
    if (answer instanceof Promise)
      answer.catch(({ message }: Error) => {
        if (message === 'Query read timeout') this.end().catch(() => {})
      })
    return answer
  }
}

/** Opens connections as they are needed. */
export function openPool(connectionString: string, options: PoolOptions) {
  const { onError, max = 16, patience = QUERY_TIMEOUT_MS, types } = options
  const ends = patience === 0 ? 0 : STATEMENT_TIMEOUT_MS
  const settings = {
    timezone: 'UTC',
    statement_timeout: String(ends),
    idle_in_transaction_session_timeout: String(patience === 0 ? 0 : IDLE_TRANSACTION_TIMEOUT_MS),
    ...options.settings,
  }
  const pool = new pg.Pool({
    Client: ImpatientClient,
    connectionString,
    max,
    query_timeout: patience,
    connectionTimeoutMillis: patience,
    // Not as options of the connection, which a pooler between us and the database may refuse.
    onConnect: async (client) => {
      const values = Object.entries(settings).flat()
      const calls = values.flatMap((_, i) => (i % 2 ? [] : [`set_config($${i + 1}, $${i + 2}, false)`]))
      await client.query(`select ${calls.join(', ')}`, values)
    },
    ...(types && { types }),
  })
  // Without a listener on the pool and on each client, a connection that breaks ends the process.
  const tell = (error: Error) => {
    // The last ones may still be closing when the database stops.
    if (!pool.ending) onError(error)
  }
  pool.on('error', tell)
  pool.on('connect', (client) => client.on('error', tell))
  return pool
}

const types = {
  getTypeParser: (id: number, format?: 'text' | 'binary') => parsers[id] ?? pg.types.getTypeParser(id, format),
} as pg.CustomTypesConfig

export interface Database {
  db: Db
  /** For the few hot statements that are named, so that the server parses and plans them once per connection. */
  pool: pg.Pool
}

/** Queries answer with ISO strings for times and numbers for counters: rows have the wire's shape. */
export function openDatabase(connectionString: string, options: Omit<PoolOptions, 'types'>): Database {
  const pool = openPool(connectionString, { ...options, types })
  return { db: new Kysely<DB>({ dialect: new PostgresDialect({ pool }) }), pool }
}

// Connection lost, resources used up, shutting down, a lock that did not come.
const OVERLOADED = /^(08|53|57|55P03)/
const STATEMENT_TIMEOUT = '57014'
const UNANSWERED =
  /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated|Client (has encountered|was closed)|Cannot use a pool after|driver has already been)/
/** Whether a query took too long, here or in the database; not where there was no connection for it. */
export const isTimeout = (error: unknown) =>
  error instanceof Error &&
  (error.message === 'Query read timeout' || (error as { code?: string }).code === STATEMENT_TIMEOUT)

/** Whether an error means "the database does not answer now", as against "this query is wrong". */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: string }
  return (
    UNANSWERED.test(error.message) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'].includes(code ?? '') ||
    (code !== undefined && code.length === 5 && OVERLOADED.test(code))
  )
}
