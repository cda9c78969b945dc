import { pipeline } from 'node:stream/promises'
import { Kysely, PostgresDialect } from 'kysely'
import type { PoolClient } from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import { StartError } from '../config/start-error.ts'
import type { Db } from '../db/database.ts'
import { readLiveNodes } from '../db/live-nodes.ts'
import { lockMigrations, readChanges, runChanges, type SchemaChanges } from '../db/migrate.ts'
import type { DB } from '../db/schema.ts'
import type { Storage } from '../files/storage.ts'
import { beginAnew } from './begin-anew.ts'
import { LEFT_OUT } from './dump-database.ts'
import { type Manifest, storedBytes, type TableEntry, tableKey } from './manifest.ts'
import { requireOwnDatabase } from './own-database.ts'
import { readPacked } from './packed.ts'
import { countProgress, type OnProgress } from './progress.ts'

interface Options {
  client: PoolClient
  place: Storage
  manifest: Manifest
  onProgress?: OnProgress | undefined
  /** Runs before the commit, on the loaded database. */
  complete: (db: Db, changes: SchemaChanges) => Promise<void>
}

/**
 * Replaces everything in the database by the contents of a backup. It is one transaction: until it commits, the database is
 * unchanged, whatever happens.
 * @throws StartError if the backup is damaged or newer, a node is running, or the database is another program's
 */
export async function loadDatabase({ client, place, manifest, onProgress, complete }: Options) {
  const changes = await readChanges()
  const unknown = manifest.migrations.find((name) => !(name in changes))
  if (unknown)
    throw new StartError(
      `The backup ${manifest.name} was made by a newer version of Parley, whose database has ${unknown}: use that version.`,
    )
  const db = onClient(client)
  await client.query('begin')
  try {
    await lockMigrations(db)
    await requireNoNodes(db)
    await requireOwnDatabase(db)
    await dropEverything(client)
    await runChanges(db, changes, manifest.migrations)
    const { names, restoreRules } = await liftRules(client)
    const progress = countProgress('database', storedBytes(manifest.tables), onProgress)
    for (const table of manifest.tables) {
      const onBytes = progress.begin(table.size, table.name)
      // Others that somebody has created among Parley's are ignored.
      if (names.has(table.name)) await loadTable(client, place, manifest, table, onBytes)
      progress.end(table.size)
    }
    for (const { table, column, value } of manifest.sequences.filter(({ table }) => names.has(table)))
      await client.query('select setval(pg_get_serial_sequence($1, $2), $3)', [table, column, value])
    await restoreRules()
    await beginAnew(client)
    await complete(db, changes)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw asSentence(error, manifest.name)
  }
  await client.query('analyze')
}

/** @throws StartError if a node uses the database */
export async function requireNoNodes(db: Db) {
  const nodes = await readLiveNodes(db)
  if (nodes.length > 0) throw new StartError('Parley is running on this database: stop all nodes first.')
}

const onClient = (client: PoolClient): Db => {
  const connection = { query: client.query.bind(client), release: () => {} } as unknown as PoolClient
  return new Kysely<DB>({
    dialect: new PostgresDialect({ pool: { connect: async () => connection, end: async () => {} } as never }),
  })
}

const isOfNoExtension = (alias: string) =>
  `not exists (select from pg_depend d where d.objid = ${alias}.oid and d.deptype = 'e')`

/** Drops functions first, because some take table rows. Tables take their triggers, indexes and sequences along. */
async function dropEverything(client: PoolClient) {
  const { rows } = await client.query<{ statement: string }>(`
    select 1 as step, format('drop function if exists %s cascade', oid::regprocedure) as statement from pg_proc p
      where pronamespace = current_schema()::regnamespace and prokind = 'f'
        and ${isOfNoExtension('p')}
    union all
    select 2, format('drop table %I cascade', relname) from pg_class c
      where relnamespace = current_schema()::regnamespace and relkind = 'r' and ${isOfNoExtension('c')}
    order by step`)
  for (const { statement } of rows) await client.query(statement)
}

/**
 * Empties the tables, and lifts everything that would reject or change rows: references, because tables are loaded one by one,
 * and triggers, which have already done their work. Requires only ownership of the tables.
 * @returns the names of the tables, and a function that restores the rules
 */
async function liftRules(client: PoolClient) {
  const { rows: references } = await client.query<{ table: string; name: string; definition: string }>(`
    select relname as table, conname as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class on pg_class.oid = conrelid
    where contype = 'f' and connamespace = current_schema()::regnamespace and ${isOfNoExtension('pg_class')}
    order by 1, 2`)
  const { rows: tables } = await client.query<{ name: string }>(
    `select relname as name from pg_class c where relnamespace = current_schema()::regnamespace and relkind = 'r'
     and relname <> 'migrations_lock' and ${isOfNoExtension('c')}`,
  )
  for (const { table, name } of references) await client.query(`alter table "${table}" drop constraint "${name}"`)
  for (const { name } of tables) await client.query(`alter table "${name}" disable trigger user`)
  await client.query(`truncate ${tables.map(({ name }) => `"${name}"`).join(', ')}`)
  const restoreRules = async () => {
    for (const { table, name, definition } of references)
      await client.query(`alter table "${table}" add constraint "${name}" ${definition}`)
    for (const { name } of tables) await client.query(`alter table "${name}" enable trigger user`)
  }
  return { names: new Set(tables.map(({ name }) => name)), restoreRules }
}

async function loadTable(
  client: PoolClient,
  place: Storage,
  { name }: Manifest,
  table: TableEntry,
  onBytes: (length: number) => void,
) {
  if (LEFT_OUT.includes(table.name))
    throw new StartError(`The backup ${name} is damaged: it has a table ${table.name}.`)
  const bytes = await readPacked(place, tableKey(name, table.name), table, onBytes)
  const columns = table.columns.map((column) => `"${column}"`).join(', ')
  const rows = client.query(copyFrom(`copy "${table.name}" (${columns}) from stdin`))
  await pipeline(bytes, rows)
  if (rows.rowCount !== table.rows)
    throw new StartError(
      `The backup ${name} is damaged: ${table.name} has ${rows.rowCount} rows instead of ${table.rows}.`,
    )
}

const DISK_FULL = '53100'

/** Explains an error of PostgreSQL about its disk or the data: a damaged or forged backup with a valid checksum. */
function asSentence(error: unknown, name: string) {
  const { code = '', message } = error as { code?: string; message: string }
  if (code === DISK_FULL)
    return new StartError(
      'The disk of the database is full, and nothing was changed: make room there, then start again.',
    )
  const isOfData = /^(22|23|42)/.test(code) && code !== '42501'
  return isOfData ? new StartError(`The backup ${name} cannot be restored: ${message}.`) : error
}
