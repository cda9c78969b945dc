import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { killAmid, run } from '../test/support/backup-commands.ts'
import { onDatabase } from '../test/support/database.ts'
import { isLong } from '../test/support/long.ts'
import { databaseAt } from '../test/support/new-database.ts'
import { SECRET } from '../test/support/parley.ts'
import { readSchema } from '../test/support/schema-breaks.ts'
import { openServerProcess } from '../test/support/server-process.ts'
import { STATE_TIMEOUT_MS } from '../test/support/timeouts.ts'

/** Rows of an earlier version: people, a channel, a thread, a reaction, a file and a session. */
const ROWS = `
  insert into users (id, name, email, username) values ('ada', 'Ada', 'ada@example.com', 'ada'), ('bob', 'Bob', 'bob@example.com', 'bob');
  insert into sessions (id, "userId", token, "expiresAt") values ('s1', 'ada', 't1', now() + interval '1 day');
  insert into accounts (id, "userId", "accountId", "providerId", password) values ('a1', 'ada', 'ada', 'credential', 'hash');
  insert into channels (id, kind, name, "ownerId", "memberCount", seq, rev)
    values ('01900000-0000-7000-8000-000000000001', 'private', 'kitchen', 'ada', 2, 1, 3);
  insert into memberships ("channelId", "userId") select '01900000-0000-7000-8000-000000000001', id from users where id in ('ada', 'bob');
  insert into messages (id, "channelId", "userId", content, seq, rev, "replyCount", "threadSeq")
    values ('01900000-0000-7000-8000-000000000002', '01900000-0000-7000-8000-000000000001', 'ada', E'Soup\\n\\t🍲', 1, 1, 1, 1);
  insert into messages (id, "channelId", "userId", content, seq, rev, "threadId")
    values ('01900000-0000-7000-8000-000000000003', '01900000-0000-7000-8000-000000000001', 'bob', 'Yes', 1, 2, '01900000-0000-7000-8000-000000000002');
  insert into reactions ("messageId", emoji, "userId") values ('01900000-0000-7000-8000-000000000002', '👍', 'bob');
  insert into thread_follows ("threadId", "userId") values ('01900000-0000-7000-8000-000000000002', 'ada');
  insert into mentions ("messageId", "channelId", seq, "authorId", "userId")
    values ('01900000-0000-7000-8000-000000000002', '01900000-0000-7000-8000-000000000001', 1, 'ada', 'bob');
  insert into message_search ("messageId", "channelId", text) values ('01900000-0000-7000-8000-000000000002', '01900000-0000-7000-8000-000000000001', 'soup');
  insert into files (id, "userId", "channelId", name, type, size, state, "isShown")
    values ('01900000-0000-7000-8000-000000000004', 'ada', '01900000-0000-7000-8000-000000000001', 'menu.txt', 'text/plain', 4, 'ready', true);
  insert into invites (id, "codeHash", "createdBy", "maxUses", "expiresAt")
    values ('01900000-0000-7000-8000-000000000005', 'hash', 'ada', 5, now() + interval '1 day');
`

/** All rows of some tables, with the columns of one schema. Excludes transaction ids, which differ. */
async function readRows(url: string, columns?: Record<string, string[]>) {
  return onDatabase(url, async (client) => {
    const of =
      columns ??
      Object.fromEntries(
        (
          await client.query<{ table: string; columns: string[] }>(`
            select table_name as table, array_agg(column_name::text order by column_name) as columns
            from information_schema.columns
            where table_schema = 'public' and data_type <> 'xid8' and udt_name <> 'xid8'
              and table_name not in ('migrations', 'migrations_lock', 'access_changes', 'lives', 'tries', 'workspace', 'signing_keys')
              and column_name <> 'lastRemoval'
            group by 1`)
        ).rows.map(({ table, columns }) => [table, columns]),
      )
    const rows: Record<string, unknown> = {}
    for (const [table, names] of Object.entries(of))
      rows[table] = (
        await client.query(`select ${names.map((it) => `"${it}"`).join(', ')} from ${table} order by 1, 2`)
      ).rows
    return { columns: of, rows }
  })
}

/** A rollback that is killed while it replaces the database changes nothing. */
async function killedRollback(url: string, settings: NodeJS.ProcessEnv) {
  const before = await readRows(url)
  const upgraded = await onDatabase(url, readSchema)
  const waiting = `select from pg_stat_activity where datname = current_database() and query ~ '^drop '`
  await onDatabase(url, async (client) => {
    // The rollback waits for this lock before it drops the last tables.
    await client.query('begin; lock table workspace in access share mode')
    const isDropping = () =>
      onDatabase(url, async (other) => (await other.query(`${waiting} and wait_event_type = 'Lock'`)).rows.length > 0)
    await killAmid('rollback', settings, isDropping, '--yes')
    await client.query('commit')
    await vi.waitUntil(async () => (await client.query(waiting)).rows.length === 0, { timeout: STATE_TIMEOUT_MS })
  })
  expect(await onDatabase(url, readSchema)).toEqual(upgraded)
  expect((await readRows(url, before.columns)).rows).toEqual(before.rows)
}

const LEVELS = [
  '0009-assistant',
  '0015-language-changes',
  '0020-emoji-changes',
  '0025-retention',
  '0039-providers',
  '0051-permissions-version',
]

test.each(isLong ? LEVELS : LEVELS.slice(-1))(
  'a database of the version with %s is stored, upgraded without loss, and can be rolled back',
  async (level) => {
    const url = await databaseAt(level)
    await onDatabase(url, (client) => client.query(ROWS))
    const before = await readRows(url)
    const schema = await onDatabase(url, readSchema)
    const node = await openServerProcess({ DATABASE_URL: url, SECRET })
    await node.start()
    expect(node.log()).toContain('"npm run rollback" goes back to it.')
    expect((await readRows(url, before.columns)).rows).toEqual(before.rows)
    const settings = { DATABASE_URL: url, DATA_DIR: node.dataDir }
    expect(await run('rollback', settings, '--yes')).toMatchObject({
      isDone: false,
      text: expect.stringContaining('stop all nodes'),
    })
    await node.kill('SIGTERM')
    await onDatabase(url, (client) =>
      client.query(`insert into messages (id, "channelId", "userId", content, seq, rev)
        values (gen_random_uuid(), '01900000-0000-7000-8000-000000000001', 'ada', 'New', 2, 4);
        insert into messages (id, "channelId", "userId", content, seq, rev, "createdAt", "updatedAt")
        values ('01900000-0000-7000-8000-000000000009', '01900000-0000-7000-8000-000000000001', 'ada', 'Old', 3, 5, '2020-01-01', '2020-01-01');
        insert into imports (id, "userId", "fileName", size, state, "finishedAt")
        values ('01900000-0000-7000-8000-00000000000a', 'ada', 'a.zip', 1, 'accepted', clock_timestamp());
        insert into import_items (source, kind, key, id, "importId") values
          ('slack', 'message', '1', '01900000-0000-7000-8000-000000000009', '01900000-0000-7000-8000-00000000000a')`),
    )
    expect(await run('rollback', settings)).toMatchObject({
      isDone: false,
      text: expect.stringMatching(/undoes everything since, such as 2 messages.*Add --yes/s),
    })
    if (level === '0025-retention') await killedRollback(url, settings)
    expect(await run('rollback', settings, '--yes')).toEqual({ isDone: true, text: expect.stringContaining('Done.') })
    expect(await onDatabase(url, readSchema)).toEqual(schema)
    const after = await readRows(url, before.columns)
    delete before.rows['audit_log']
    delete after.rows['audit_log']
    expect(after.rows).toEqual(before.rows)
    expect(await readdir(join(node.dataDir, 'snapshots/backups'))).toHaveLength(1)
  },
)
