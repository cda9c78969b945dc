import { sql } from 'kysely'
import pg from 'pg'
import { StartError } from '../config/start-error.ts'
import { type Db, NETWORK_CODES } from './database.ts'

/** Wrong password or account, or no such database. */
const REFUSED = /^(28[0-9A-Z]{3}|3D000)$/
const TOO_MANY_CONNECTIONS = '53300'
const NO_PERMISSION = '42501'

/**
 * Translates a database error at startup into instructions for the administrator; undefined if it is not about the connection.
 * @param connections DATABASE_CONNECTIONS
 */
export function connectionProblem(error: unknown, connections: number): StartError | undefined {
  const { message } = error as Error
  // A host with several IP addresses fails with an error for each.
  const { code = '', errors = [] } = error as { code?: string; errors?: { code?: string }[] }
  const reason = [code, ...errors.map((it) => it.code)].find((it) => it && NETWORK_CODES.test(it))
  if (reason) return new StartError(`The database cannot be reached (${reason}): check DATABASE_URL.`)
  if (REFUSED.test(code)) return new StartError(`The database refuses this account (${message}): check DATABASE_URL.`)
  if (code === NO_PERMISSION)
    return new StartError(
      `The database account of DATABASE_URL lacks a permission (${message}): see docs/running/upgrading.md.`,
    )
  if (code === TOO_MANY_CONNECTIONS)
    return new StartError(
      `The database refuses more connections (${message}). Each node opens up to ${connections}: lower DATABASE_CONNECTIONS, or raise max_connections of the database.`,
    )
  return undefined
}

/** @throws StartError if a certificate file named in the URL cannot be read */
export function requireCertificates(databaseUrl: string) {
  try {
    new pg.Client(databaseUrl)
  } catch (error) {
    throw new StartError(`DATABASE_URL names a file that cannot be read: ${(error as Error).message}.`)
  }
}

/** @throws StartError if the database is a replica, which is read-only */
export async function requirePrimary(db: Db) {
  if (await isReplica(db))
    throw new StartError(
      'The database of DATABASE_URL is a read replica: set DATABASE_URL to the primary. DATABASE_READ_URL may be the replica.',
    )
}

/** Whether the database is a replica that has not been promoted. */
export async function isReplica(db: Db): Promise<boolean> {
  const { rows } = await sql<{ isReplica: boolean }>`select pg_is_in_recovery() as "isReplica"`.execute(db)
  return rows[0]?.isReplica === true
}

/** A warning if the database allows fewer connections in total than this node may open. */
export async function connectionShortage(db: Db, perProcess: number, processes: number): Promise<string | undefined> {
  // -1 means no limit for a database or an account.
  const { rows } = await sql<{ allowed: number }>`
    select least(
      current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int
        - coalesce(current_setting('reserved_connections', true), '0')::int,
      (select nullif(datconnlimit, -1) from pg_database where datname = current_database()),
      (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user)
    ) as allowed`.execute(db)
  const allowed = rows[0]?.allowed ?? Number.POSITIVE_INFINITY
  if (allowed >= perProcess * processes) return undefined
  const times = processes === 1 ? '' : ` for each of ${processes} processes`
  return `DATABASE_CONNECTIONS is ${perProcess}${times}, but the database allows ${allowed} in all: some requests will fail when many people are active. Lower it, or raise max_connections of the database.`
}
