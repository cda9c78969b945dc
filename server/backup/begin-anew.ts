import type { PoolClient } from 'pg'
import { ORPHAN_RETENTION_MINUTES } from '../files/sweep-files.ts'

const NOW = 'clock_timestamp()'

/** The initial values of a restored workspace. */
const BEGINNINGS: Record<string, string> = {
  // Browsers and nodes must not mistake it for the one they knew.
  epoch: 'gen_random_uuid()',
  history: 'null',
  storeId: 'null',
  // Of the time before the backup.
  backupFailure: 'null',
  // Bytes that the backup doesn't know may not be orphaned: leaves a week to notice that the wrong backup was restored.
  orphansScannedAt: `${NOW} + interval '${ORPHAN_RETENTION_MINUTES} minutes'`,
}

interface Change {
  table: string
  columns: string[]
  statement: string
}

const CHANGES: Change[] = [
  // Their bytes may belong to a file that was sent or completed after the backup: they are kept as long as orphaned ones.
  {
    table: 'files',
    columns: ['state', 'isShown', 'touchedAt'],
    statement: `with ended as (delete from files where state in ('pending', 'gone'))
      update files set "touchedAt" = ${NOW} where state = 'ready' and not "isShown"`,
  },
  // Nobody gets mail about messages from before the restore.
  {
    table: 'missed_cursor',
    columns: ['lastId'],
    statement: `insert into missed_cursor ("lastId")
      select (substr(hex, 1, 8) || '-' || substr(hex, 9) || '-7000-8000-000000000000')::uuid
      from (select lpad(to_hex((extract(epoch from ${NOW}) * 1000)::bigint), 12, '0') as hex) now`,
  },
  // Nor are devices notified of them.
  {
    table: 'push_candidates',
    columns: ['messageId'],
    statement: `with decided as (delete from push_candidates) delete from pushes where "finishedAt" is null`,
  },
  // Reminders from before the restore may have been given: they are listed as due, without announcing them again.
  {
    table: 'later_items',
    columns: ['dueAt', 'remindedAt', 'doneAt'],
    statement: `update later_items set "remindedAt" = ${NOW}
      where "dueAt" <= ${NOW} and "remindedAt" is null and "doneAt" is null`,
  },
  // What was to be sent since the backup may have been: it returns to its author.
  {
    table: 'scheduled_messages',
    columns: ['sendAt', 'failure', 'rev'],
    statement: `update scheduled_messages set failure = '{"code":"unavailable","reason":"scheduledMissed"}', rev = rev + 1
      where "sendAt" <= ${NOW} and failure is null`,
  },
  {
    table: 'mail_rules',
    columns: ['rule', 'dueAt'],
    statement: `update mail_rules set "dueAt" = ${NOW} + interval '7 days' where rule = 'digest' and "dueAt" <= ${NOW}`,
  },
]

/** Changes what must not go on where it was in a loaded database of any version. */
export async function beginAnew(client: PoolClient) {
  const { rows } = await client.query<{ name: string }>(
    `select attrelid::regclass || '.' || attname as name from pg_attribute a join pg_class c on c.oid = attrelid
     where relnamespace = current_schema()::regnamespace and attnum > 0 and not attisdropped`,
  )
  const known = new Set(rows.map(({ name }) => name))
  const set = Object.entries(BEGINNINGS).filter(([name]) => known.has(`workspace.${name}`))
  await client.query(`update workspace set ${set.map(([name, value]) => `"${name}" = ${value}`).join(', ')}`)
  for (const { table, columns, statement } of CHANGES)
    if (columns.every((name) => known.has(`${table}.${name}`))) await client.query(statement)
}
