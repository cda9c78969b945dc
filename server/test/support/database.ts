import { randomBytes } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts'
import { memoryFolder } from './memory-folder.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

const TEMPLATE = 'parley_template'

/** Runs once for all test files. */
export default async function setup(project: TestProject) {
  const { url, stop } = await startCluster(process.env['DATABASE_URL'])
  project.provide('postgresUrl', url)
  return stop
}

/** Starts PostgreSQL, or uses the given one, and creates a migrated template database. */
export async function startCluster(externalUrl?: string) {
  const dataDir = await memoryFolder('cluster')
  // Several test files run at a time, each with several servers of 26 connections. Test data need not survive a crash of the
  // machine.
  const overrides = {
    max_connections: '300',
    fsync: 'off',
    full_page_writes: 'off',
    synchronous_commit: 'off',
    max_wal_size: '256MB',
  }
  const embedded = { dataDir, password: 'test', log: console.log, overrides }
  const postgres = externalUrl ? undefined : await startEmbeddedPostgres(embedded)
  const url = externalUrl ?? (postgres?.url as string)

  const dropTemplate = () =>
    onDatabase(url, (client) => client.query(`drop database if exists ${TEMPLATE} with (force)`))
  async function stop() {
    if (externalUrl) await dropTemplate()
    await postgres?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
  try {
    if (postgres) {
      // A password costs each of thousands of connections a millisecond on both sides.
      await writeFile(
        join(dataDir, 'postgres/pg_hba.conf'),
        'host all parley 127.0.0.1/32 trust\nhost all all 127.0.0.1/32 scram-sha-256\n',
      )
      await onDatabase(url, (client) => client.query('select pg_reload_conf()'))
    }
    await dropTemplate()
    await onDatabase(url, (client) => client.query(`create database ${TEMPLATE}`))
    const { db } = openDatabase(urlOf(url, TEMPLATE), { onError: console.error })
    await migrate(db).finally(() => db.destroy())
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop }
}

/** Creates a migrated database in a cluster. */
export async function createDatabase(clusterUrl: string) {
  const name = `test_${randomBytes(6).toString('hex')}`
  await onDatabase(clusterUrl, (client) =>
    client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`),
  )
  const drop = () => onDatabase(clusterUrl, (client) => client.query(`drop database if exists ${name} with (force)`))
  return { url: urlOf(clusterUrl, name), drop }
}

export function urlOf(url: string, database: string) {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

export async function onDatabase<T>(url: string, act: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await act(client)
  } finally {
    await client.end()
  }
}
