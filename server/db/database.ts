import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DB } from './schema.ts'

export type Db = Kysely<DB>

const { builtins } = pg.types
const parsers: Record<number, (text: string) => unknown> = {
  // Counters stay far below 2^53; a number is what the wire carries.
  [builtins.INT8]: Number,
  // The session's time zone is UTC: '2026-11-20 06:40:34.12+00' → '2026-11-20T06:40:34.120Z'.
  [builtins.TIMESTAMPTZ]: (text) => new Date(text).toISOString(),
}

/** Milliseconds until a query, or the wait for a connection, is given up: a frozen database must not hang a request. */
const PATIENCE = 4_000

/** Opens connections as they are needed; `onError` hears of those the server ended while they were idle. */
export function openPool(
  connectionString: string,
  max: number,
  onError: (error: Error) => void,
  types?: pg.CustomTypesConfig,
) {
  const pool = new pg.Pool({
    connectionString,
    max,
    query_timeout: PATIENCE,
    connectionTimeoutMillis: PATIENCE,
    options: '-c timezone=UTC',
    ...(types && { types }),
  })
  // Without a listener on the pool and on each client, a connection that breaks ends the process.
  pool.on('error', onError)
  pool.on('connect', (client) => client.on('error', onError))
  return pool
}

/** Queries answer with ISO strings for times and numbers for counters: rows have the wire's shape. */
export function openDatabase(connectionString: string, onError: (error: Error) => void): Db {
  const types = {
    getTypeParser: (id: number, format?: 'text' | 'binary') => parsers[id] ?? pg.types.getTypeParser(id, format),
  }
  const pool = openPool(connectionString, 16, onError, types as pg.CustomTypesConfig)
  return new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
}

const OVERLOADED = /^(08|53|57)/
/** Whether an error means "the database does not answer now", as against "this query is wrong". */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: string }
  return (
    /^(Query read timeout|timeout exceeded when trying to connect|Connection terminated)/.test(error.message) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'].includes(code ?? '') ||
    (code !== undefined && code.length === 5 && OVERLOADED.test(code))
  )
}
