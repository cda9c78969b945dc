import { type Kysely, sql } from 'kysely'
import pg from 'pg'
import { expect, test } from 'vitest'
import { atEnd } from '../test/support/cleanup.ts'
import { onDatabase } from '../test/support/database.ts'
import { longTest } from '../test/support/long.ts'
import { databaseAt, newDatabase } from '../test/support/new-database.ts'
import { transaction, untilLockWait } from '../test/support/open-transactions.ts'
import { openServerProcess, signUpClient } from '../test/support/server-process.ts'
import { openDatabase } from './database.ts'
import { migrate, readChanges } from './migrate.ts'

// Nodes in separate processes, sharing a database.

const BEFORE_NODES = '0015-language-changes'
const SECRET = 'a-secret-that-only-this-test-has-123'

const open = (DATABASE_URL: string, PGAPPNAME = 'parley') => openServerProcess({ DATABASE_URL, SECRET, PGAPPNAME })
const executed = async (url: string) =>
  onDatabase(url, async (client) => (await client.query('select name from migrations order by name')).rows)

/** Waits for the same lock as the migration, as every request does. */
async function readWorkspace(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query('select epoch from workspace').finally(() => client.end())
}

/** The names of the waiting nodes: the one that migrates and the one that waits for it. */
async function waiting(url: string): Promise<Partial<Record<'for the table' | 'for the node', string>>> {
  const { rows } = await onDatabase(url, (client) =>
    client.query(`select application_name as name, query like '%alter table%' as migrates from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`),
  )
  return Object.fromEntries(rows.map(({ name, migrates }) => [migrates ? 'for the table' : 'for the node', name]))
}

const countWaiting = async (url: string): Promise<number> =>
  onDatabase(url, async (client) => {
    const { rows } = await client.query(`select count(*)::int as n from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    return rows[0].n
  })

function connectTo(url: string) {
  const { db } = openDatabase(url, { onError: () => {}, timeoutMs: 0 })
  atEnd(() => db.destroy())
  return db
}

longTest('a long read holds up the migration, but not later requests', async () => {
  const url = await databaseAt(BEFORE_NODES)
  const dump = await transaction(url, ['select epoch from workspace'])
  const node = await open(url)
  const started = node.start()
  await untilLockWait(url, 'alter table workspace', 'pg_stat_activity')
  // It queues behind the migration until that gives up for a moment; the dump is still open.
  await readWorkspace(url)
  await expect
    .poll(() => node.log())
    .toMatch(/another program holds a lock on it: process \d+ \(\w+\), for \d+ s\. Trying/)
  await dump.rollback()
  await started
})

test('after some attempts the migration fails, naming the program that holds the lock', async () => {
  const url = await databaseAt(BEFORE_NODES)
  const dump = await transaction(url, [`set application_name = 'pg_dump'`], ['select epoch from workspace'])
  const attempts: string[] = []
  const options = { lockTimeoutMs: 20, maxAttempts: 3, retryDelayMs: 1, log: (line: string) => attempts.push(line) }
  await expect(migrate(connectTo(url), options)).rejects.toThrow(
    /^The database could not be migrated, .*: process \d+ \(pg_dump\), for \d+ s\. Start Parley again/,
  )
  expect(attempts).toHaveLength(2)
  await dump.rollback()
  await migrate(connectTo(url), options)
})

longTest('if the migrating node is killed, another one takes over', async () => {
  const url = await databaseAt(BEFORE_NODES)
  const dump = await transaction(url, ['select epoch from workspace'])
  const nodes = { first: await open(url, 'first'), second: await open(url, 'second') }
  const started = Promise.allSettled([nodes.first.start(), nodes.second.start()])
  let migrating: string | undefined
  const seeWaiting = async () => {
    const names = await waiting(url)
    migrating = names['for the table']
    return Object.keys(names).sort()
  }
  await expect.poll(seeWaiting).toEqual(['for the node', 'for the table'])
  const [killed, other] = migrating === 'first' ? [nodes.first, nodes.second] : [nodes.second, nodes.first]
  await killed.kill('SIGKILL')
  await dump.rollback()
  await started
  expect(other.log()).toContain('Parley is ready')
  const names = Object.keys(await readChanges()).sort()
  expect(await executed(url)).toEqual(names.map((name) => ({ name })))
  await killed.start()
})

const run = (text: string) => ({ up: async (db: Kysely<never>) => void (await sql.raw(text).execute(db)) })

longTest('a node starts on a schema with additions of a newer version, but not on one it is too old for', async () => {
  const url = await newDatabase()
  const node = await open(url)
  await node.start()
  const ada = await signUpClient(node.address, 'ada')

  // Simulates a newer node that migrates while this one runs.
  const own = await readChanges()
  const added = {
    ...own,
    '9000-pins': run('create table pins (id uuid primary key); alter table channels add "pinCount" integer default 0'),
  }
  await migrate(connectTo(url), { changes: added })
  const { body: channel } = await ada.call('POST', '/api/channels', { name: 'kitchen' })
  await node.kill('SIGTERM')
  await node.start()
  const sent = await ada.call('POST', '/api/messages', { channelId: channel.id, content: 'hello' })
  expect(sent.status).toBe(201)

  const removed = { ...added, '9001-topics': { ...run('select 1'), floor: '9000-pins' } }
  await migrate(connectTo(url), { changes: removed })
  await node.kill('SIGTERM')
  // This is the last line: no stack trace follows.
  await expect(node.start()).rejects.toThrow(
    /\nThis version of Parley is too old for its database, which a newer version has changed \(9001-topics\): start the newer version\.\n$/,
  )
  // The version before the newest one still starts.
  await migrate(connectTo(url), { changes: added })
  expect(await executed(url)).toHaveLength(Object.keys(removed).length)
})

test.each([undefined, '9000-first'])(
  'a node that waited for a newer one’s migration re-checks the floor (%s)',
  async (floor) => {
    const url = await newDatabase()
    const own = await readChanges()
    const newer = {
      ...own,
      '9000-first': run('select 1'),
      '9001-second': { ...run('select 1'), ...(floor && { floor }) },
    }
    // The lock shared by all migrations.
    const lock = await transaction(url, ['select pg_advisory_xact_lock(3853314791062309107)'])
    const first = migrate(connectTo(url), { changes: newer })
    await untilLockWait(url, 'pg_advisory_lock')
    const second = migrate(connectTo(url)).catch((error: Error) => error.message)
    await expect.poll(() => countWaiting(url)).toBe(2)
    await lock.rollback()
    await first
    expect(await second).toEqual(floor ? expect.stringMatching(/^This version of Parley is too old/) : [])
  },
)

test('each migration of an upgrade commits separately, so a failed one leaves the previous ones in place', async () => {
  const url = await newDatabase()
  const own = await readChanges()
  await migrate(connectTo(url), { changes: own })
  const failing = {
    ...own,
    '9000-first': run('create table first (id integer)'),
    '9001-second': run('create table second (id integer); select 1 / 0'),
  }
  await expect(migrate(connectTo(url), { changes: failing })).rejects.toThrow(
    'The migration 9001-second failed, and nothing of it remains: division by zero. To give up this version, go back',
  )
  expect((await executed(url)).at(-1)).toEqual({ name: '9000-first' })
  await migrate(connectTo(url), { changes: { ...failing, '9001-second': run('create table second (id integer)') } })
  expect((await executed(url)).at(-1)).toEqual({ name: '9001-second' })
})
