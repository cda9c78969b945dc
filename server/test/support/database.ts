import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '../../db/database.ts'
import { migrate } from '../../db/migrate.ts'
import { startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts'

declare module 'vitest' {
  interface ProvidedContext {
    postgresUrl: string
  }
}

export const TEMPLATE = 'parley_template'

/** Once for all test files: starts PostgreSQL (or uses DATABASE_URL) and creates a migrated template database. */
export default async function setup(project: TestProject) {
  const externalUrl = process.env['DATABASE_URL']
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'))
  // Several test files run at a time, each with several servers of 26 connections.
  // Test data need not survive a crash of the machine.
  const overrides = { max_connections: '300', fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' }
  const embedded = { dataDir, password: 'test', log: console.log, overrides }
  const postgres = externalUrl ? undefined : await startEmbeddedPostgres(embedded)
  const url = externalUrl ?? (postgres?.url as string)

  await onDatabase(url, (client) => client.query(`drop database if exists ${TEMPLATE} with (force)`))
  await onDatabase(url, (client) => client.query(`create database ${TEMPLATE}`))
  const { db } = openDatabase(urlOf(url, TEMPLATE), { onError: console.error })
  await migrate(db)
  await db.destroy()

  project.provide('postgresUrl', url)
  return async () => {
    await onDatabase(url, (client) => client.query(`drop database if exists ${TEMPLATE} with (force)`))
    await postgres?.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
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
