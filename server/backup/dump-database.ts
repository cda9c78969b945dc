import type { ClientBase } from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { Storage } from '../files/storage.ts'
import { type Manifest, TABLE_NAME, type TableEntry, tableKey } from './manifest.ts'
import { writePacked } from './packed.ts'
import { countProgress, type OnProgress } from './progress.ts'

/** Tables without lasting meaning: locks, notices for running nodes, archives that can be requested again, and unsent mail. */
export const LEFT_OUT = ['migrations_lock', 'access_changes', 'exports', 'mails', 'missed_cursor']

type Dump = Pick<Manifest, 'madeAt' | 'postgres' | 'filesId' | 'migrations' | 'tables' | 'sequences'>

interface Options {
  /** In a transaction with a consistent snapshot. */
  client: ClientBase
  place: Storage
  name: string
  onProgress?: OnProgress | undefined
}

/** Stores each table in the format of PostgreSQL's COPY. Blocks nothing but schema changes. */
export async function dumpDatabase({ client, place, name, onProgress }: Options): Promise<Dump> {
  const { rows: facts } = await client.query(`
    select to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "madeAt",
      current_setting('server_version') as postgres, "filesId",
      array(select m.name from migrations m order by m.name) as migrations
    from workspace`)
  const tables: TableEntry[] = []
  const found = await readTables(client)
  const total = found.reduce((sum, { bytes }) => sum + bytes, 0)
  const progress = countProgress('database', total, onProgress)
  for (const { bytes, ...table } of found) {
    const columns = table.columns.map((column) => `"${column}"`).join(', ')
    const rows = client.query(copyTo(`copy ${table.name} (${columns}) to stdout`))
    const stored = await writePacked(place, tableKey(name, table.name), rows, progress.begin(bytes, table.name))
    progress.end(bytes)
    tables.push({ ...table, rows: rows.rowCount, ...stored })
  }
  const sequences = (await readSequences(client)).filter(({ table }) => tables.some(({ name }) => name === table))
  return { ...facts[0], tables, sequences }
}

/**
 * Tables that survive a crash of the database, and their columns. Columns with transaction ids are left out: they mean nothing in
 * another database, and without them each row counts as changed by the transaction that restores it. Their sizes in bytes, for
 * the progress only. Tables of extensions, and with names that none of Parley's has, are left out; a restore ignores others.
 */
async function readTables(client: ClientBase) {
  const { rows } = await client.query<{ name: string; columns: string[]; bytes: string }>(
    `select c.relname as name, pg_table_size(c.oid) as bytes, array_agg(a.attname::text order by a.attnum) as columns
     from pg_class c join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and c.relpersistence = 'p'
       and c.relname ~ $2 and not exists (select from pg_depend d where d.objid = c.oid and d.deptype = 'e')
       and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
       and a.atttypid <> 'xid8'::regtype and (c.relname, a.attname) <> ('channels', 'lastRemoval')
       and c.relname <> all($1)
     group by c.oid order by 1`,
    [LEFT_OUT, TABLE_NAME.source],
  )
  return rows.map((row) => ({ ...row, bytes: Number(row.bytes) }))
}

/** Sequences, so that the numbers of deleted rows are not reused. */
async function readSequences(client: ClientBase): Promise<Manifest['sequences']> {
  const { rows } = await client.query<{ table: string; column: string; sequence: string }>(`
    select c.relname as table, a.attname as column, pg_get_serial_sequence(quote_ident(c.relname), a.attname) as sequence
    from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r' and a.attidentity <> '' order by 1, 2`)
  const sequences: Manifest['sequences'] = []
  for (const { sequence, ...of } of rows) {
    const last = await client.query(`select last_value from ${sequence}`)
    sequences.push({ ...of, value: Number(last.rows[0].last_value) })
  }
  return sequences
}
