import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { expect, inject, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import { prepareDatabase } from '../prepare-database.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { onDatabase } from '../test/support/database.ts'
import { freePort } from '../test/support/free-port.ts'
import { longTest } from '../test/support/long.ts'
import { newAccount, newDatabase } from '../test/support/new-database.ts'
import { startParley } from '../test/support/parley.ts'
import { newDataDir, openServerProcess, signUpClient } from '../test/support/server-process.ts'

// A node's connections and its database account.

const settings = { SECRET: 'a-secret-that-only-this-test-has-123', LOG_LEVEL: 'warn' }

/** The first step of a start. */
const prepare = (DATABASE_URL: string, more: NodeJS.ProcessEnv = {}) =>
  prepareDatabase(readConfig({ ...settings, DATABASE_URL, ...more }), DATABASE_URL, settings.SECRET)
const CONNECTIONS = 10

/** Polls the number of connections to a database. Returns a function that stops and returns the maximum. */
async function watchConnections(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  atEnd(() => client.end())
  let most = 0
  let isStopped = false
  const watch = async () => {
    while (!isStopped) {
      const { rows } = await client.query(`select count(*)::int as n from pg_stat_activity
        where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`)
      most = Math.max(most, rows[0].n)
      await setTimeout(5)
    }
  }
  const watching = watch()
  const stop = async () => {
    isStopped = true
    await watching
    return most
  }
  atEnd(stop)
  return stop
}

longTest('with the minimum of connections a node serves everything, and opens no more', async () => {
  const { databaseUrl, ...node } = await startParley({ DATABASE_CONNECTIONS: String(CONNECTIONS) })
  const most = await watchConnections(databaseUrl)
  const ada = await signUpClient(node.address, 'ada')
  // In parallel, over the few connections of the identity service.
  const people = await Promise.all(['bob', 'cyd', 'dan'].map((name) => signUpClient(node.address, name)))
  const channels: string[] = []
  for (let i = 0; i < 12; i++) channels.push((await ada.call('POST', '/api/channels', { name: `room-${i}` })).body.id)
  const outcomes: { status: number }[] = []
  // Nineteen in parallel: more than there are connections, and few enough for a slow machine.
  for (const [i, id] of channels.entries()) {
    const topic = ada.call('PATCH', `/api/channels/${id}`, { topic: `topic ${i}` })
    const each = people.flatMap((person) => [
      person.call('POST', `/api/channels/${id}/join`),
      ada.call('POST', '/api/messages', { channelId: id, content: `about room ${i}` }),
      person.call('GET', `/api/messages/channel/${id}`),
      person.call('GET', '/api/channels'),
      person.call('GET', '/api/search?q=room'),
      // Over the identity service's connections.
      fetch(`${node.address}/api/auth/token`, { headers: { cookie: person.cookie } }).then(({ status }) => ({
        status,
      })),
    ])
    outcomes.push(...(await Promise.all([topic, ...each])))
  }
  expect(outcomes.filter(({ status }) => status >= 300)).toEqual([])
  expect(await most()).toBeLessThanOrEqual(CONNECTIONS)
})

test('a start warns if the database allows fewer connections than the node may open', async () => {
  const url = await newDatabase()
  const few = await newAccount(url, 'connection limit 8')
  await onDatabase(url, (client) => client.query(`grant all on schema public to ${few.name}`))
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  onTestFinished(() => warn.mockRestore())
  await prepare(few.url, { DATA_DIR: await newDataDir(few.url) })
  expect(warn).toHaveBeenCalledWith(
    'DATABASE_CONNECTIONS is 27, but the database allows 8 in all: some requests will fail when many people are active. Lower it, or raise max_connections of the database.',
  )
})

longTest('a database problem at the start is reported in one sentence, without the password', async () => {
  const url = await newDatabase()
  const { name, url: account } = await newAccount(url)
  const problemOf = async (DATABASE_URL: string) => {
    const error = await prepare(DATABASE_URL).catch((failure) => failure)
    expect(error).toBeInstanceOf(StartError)
    return error.message
  }
  const other = (change: (url: URL) => void) => {
    const changed = new URL(account)
    change(changed)
    return changed.href
  }
  const port = String(await freePort())
  expect(await problemOf(other((it) => Object.assign(it, { port })))).toBe(
    'The database cannot be reached (ECONNREFUSED): check DATABASE_URL.',
  )
  expect(await problemOf(other((it) => it.searchParams.set('sslrootcert', '/missing.pem')))).toBe(
    "DATABASE_URL names a file that cannot be read: ENOENT: no such file or directory, open '/missing.pem'.",
  )
  const refused = `The database refuses this account (password authentication failed for user "${name}"): check DATABASE_URL.`
  const misspelt = other((it) => Object.assign(it, { password: 'wrong' }))
  expect(await problemOf(misspelt)).toBe(refused)
  expect(await problemOf(other((it) => Object.assign(it, { pathname: '/nowhere' })))).toBe(
    'The database refuses this account (database "nowhere" does not exist): check DATABASE_URL.',
  )
  expect(await problemOf(account)).toBe(
    'The database account of DATABASE_URL lacks a permission (permission denied for schema public): see docs/running/upgrading.md.',
  )
  await onDatabase(url, (client) => client.query(`alter role ${name} connection limit 0`))
  expect(await problemOf(account)).toBe(
    `The database refuses more connections (too many connections for role "${name}"). Each node opens up to 27: lower DATABASE_CONNECTIONS, or raise max_connections of the database.`,
  )
  // This is all that the process prints.
  const node = await openServerProcess({ ...settings, DATABASE_URL: misspelt })
  await expect(node.start()).rejects.toThrow('did not start')
  expect(node.isRunning()).toBe(false)
  expect(node.log().trim().split('\n').slice(1)).toEqual([refused])
  expect(node.log()).not.toContain('wrong')
})

/** The manual's statements for an account that may not change tables. */
async function grants(owner: string, account: string) {
  const manual = await readFile('docs/running/upgrading.md', 'utf8')
  const [, statements = ''] = /```sql\n(grant[\s\S]*?)```/.exec(manual) ?? []
  return statements.replaceAll('parley_owner', owner).replaceAll('parley_app', account)
}

longTest('with MIGRATE=off a node waits for "npm run migrate", and its account need not own the tables', async () => {
  const url = await newDatabase()
  const app = await newAccount(url)
  const owner = await newAccount(url)
  await onDatabase(url, (client) => client.query(`grant all on schema public to ${owner.name}`))
  await expect(prepare(app.url, { MIGRATE: 'off' })).rejects.toThrow(
    'The database must be migrated first: start Parley with MIGRATE on, or run "npm run migrate"',
  )

  const env = { ...process.env, DATABASE_URL: owner.url }
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/migrate.ts'], { env })
  expect(stdout).toBe('The database is up to date.\n')
  const statements = await grants(owner.name, app.name)
  await onDatabase(owner.url, (client) => client.query(statements))

  const node = await openServerProcess({ ...settings, DATABASE_URL: app.url, MIGRATE: 'off' })
  await node.start()
  const ada = await signUpClient(node.address, 'ada')
  const { body: channel } = await ada.call('POST', '/api/channels', { name: 'kitchen' })
  expect((await ada.call('POST', '/api/messages', { channelId: channel.id, content: 'hello' })).status).toBe(201)
  // Also run by background work.
  await onDatabase(app.url, (client) => client.query('select merge_search_keys()'))
  expect((await ada.call('GET', '/api/search?q=hello')).body).toHaveLength(1)
  expect((await ada.call('DELETE', `/api/channels/${channel.id}`)).status).toBeLessThan(300)
  expect(node.log()).not.toMatch(/permission denied|"level":[45]0/)
})

test('a node can use the database that the manual creates', async () => {
  const manual = await readFile('docs/running/several-nodes.md', 'utf8')
  const [, sql = ''] = /```sql\n(create role [\s\S]*?)```/.exec(manual) ?? []
  const postgresUrl = inject('postgresUrl')
  const name = `manual_${process.pid}`
  // One by one, because a database can't be created in a transaction.
  const statements = sql
    .replaceAll('parley', name)
    .split(';')
    .filter((it) => it.trim() !== '')
  expect(statements).toHaveLength(2)
  atEnd(async () => {
    for (const statement of [`drop database if exists ${name} with (force)`, `drop role if exists ${name}`])
      await onDatabase(postgresUrl, (client) => client.query(statement))
  })
  for (const statement of statements) await onDatabase(postgresUrl, (client) => client.query(statement))
  const url = Object.assign(new URL(postgresUrl), { username: name, password: 'password', pathname: `/${name}` })
  await expect(prepare(url.href, { DATA_DIR: await newDataDir(url.href) })).resolves.toEqual([])
})
