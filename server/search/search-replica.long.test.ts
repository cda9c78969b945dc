import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { onDatabase } from '../test/support/database.ts'
import { type Person, serve, signUp } from '../test/support/parley.ts'
import { startReplicatedPostgres } from '../test/support/replica.ts'
import { addNewerMessages, contents, indexAll } from '../test/support/search.ts'

// Searches with a real replica in DATABASE_READ_URL. Each test leaves the replica available and caught up.

const CHECKS = { checkIntervalMs: 50, retryDelayMs: 50 }
const FOREVER_MS = 3_600_000

let primaryUrl: string
let replica: Awaited<ReturnType<typeof startReplicatedPostgres>>['replica']
let node: Awaited<ReturnType<typeof openNode>>
let ada: Person
let bob: Person
let made = 0

beforeAll(async () => {
  const replicated = await startReplicatedPostgres((url) => migrated(url))
  primaryUrl = replicated.primary.url
  replica = replicated.replica
  node = await openNode(replica.url, FOREVER_MS)
  ada = await signUp(node.app, node.address, 'ada')
  bob = await signUp(node.app, node.address, 'bob')
})

afterEach(() => untilUsed())

async function migrated(url: string) {
  const { db } = openDatabase(url, { onError: () => {}, timeoutMs: 0 })
  await migrate(db).finally(() => db.destroy())
}

async function openNode(readUrl: string, maxLagMs: number) {
  let log = ''
  const logTo = {
    write(line: string) {
      log += line
    },
  }
  const settings = { DATABASE_URL: primaryUrl, DATABASE_READ_URL: readUrl, LOG_LEVEL: 'info' }
  const bounds = { replica: { ...CHECKS, maxLagMs } }
  return { ...(await serve(primaryUrl, settings, logTo, bounds)), log: () => log }
}

const isAvailable = () => node.app.searchDatabases.replica?.isAvailable()

/** Waits until the replica has caught up and is used. */
async function untilUsed() {
  await replica.untilReplayed()
  await expect.poll(isAvailable).toBe(true)
}

async function countOf(outcome: string) {
  const { body } = await node.app.inject('/metrics')
  return Number(new RegExp(`queries_total\\{outcome="${outcome}"\\} (\\d+)`).exec(body)?.[1] ?? 0)
}

/** A channel of Ada and Bob with old, indexed messages and files. */
async function oldChannel(...texts: string[]) {
  const channel = { name: `channel-${made++}`, isPrivate: true, members: [bob.id] }
  const { id: channelId } = (await ada.post('/api/channels', channel)).body
  const messages: { id: string }[] = []
  for (const text of texts) messages.push(await ada.say(channelId, text))
  await addNewerMessages(node.app.db, ada)
  await untilUsed()
  return { channelId, messages }
}

test('the replica finds old messages and the primary the newest', async () => {
  const { channelId } = await oldChannel('an old quagga', 'another quagga')
  const before = await countOf('used')
  await replica.pauseReplay()
  // Now only the replica has an index.
  const blocks = await sql`delete from search_blocks returning *`.execute(node.app.db)
  expect(blocks.rows.length).toBeGreaterThan(0)
  await ada.say(channelId, 'a quagga of today')
  const found = (limit: string) => expect.poll(() => contents(bob, 'quagga', { limit }))
  await found('50').toEqual(['a quagga of today', 'another quagga', 'an old quagga'])
  await found('2').toEqual(['a quagga of today', 'another quagga'])
  expect(await countOf('used')).toBeGreaterThan(before)
  await sql`update message_search set block = null`.execute(node.app.db)
  await indexAll(node.app.db)
  await replica.resumeReplay()
})

test('pages of results are complete even if the replica lacks a deletion', async () => {
  const { messages } = await oldChannel('okapi 1', 'okapi 2', 'okapi 3', 'okapi 4')
  await replica.pauseReplay()
  await ada.delete(`/api/messages/${messages[2]?.id}`)
  const first = await contents(ada, 'okapi', { limit: '2' })
  expect(first).toEqual(['okapi 4', 'okapi 2'])
  expect(await contents(ada, 'okapi', { limit: '2', cursor: messages[1]?.id ?? '' })).toEqual(['okapi 1'])
  await replica.resumeReplay()
})

test('a replica that is too far behind is not used until it has caught up', async () => {
  const { messages } = await oldChannel('a tapir')
  const strict = await openNode(replica.url, 2000)
  await expect.poll(() => strict.app.searchDatabases.replica?.isAvailable()).toBe(true)
  await replica.pauseReplay()
  await ada.put(`/api/messages/${messages[0]?.id}`, { content: 'a tapir, edited' })
  await expect.poll(strict.log).toContain('it is too far behind')
  await replica.resumeReplay()
  await expect.poll(() => strict.app.searchDatabases.replica?.isAvailable()).toBe(true)
  await strict.app.close()
})

test('a replica with another schema is not used', async () => {
  await oldChannel('a dodo')
  await replica.pauseReplay()
  await sql`insert into migrations (name, timestamp) values ('9999-later', '')`.execute(node.app.db)
  await expect.poll(node.log).toContain('it was not migrated like the primary')
  expect(await contents(bob, 'dodo')).toEqual(['a dodo'])
  await sql`delete from migrations where name = '9999-later'`.execute(node.app.db)
  await replica.resumeReplay()
})

test('while the replica is frozen or down, searches use the primary', async () => {
  await oldChannel('a moa')
  const resume = await replica.freeze()
  expect(await contents(bob, 'moa')).toEqual(['a moa'])
  expect(isAvailable()).toBe(false)
  resume()
  await untilUsed()
  const before = await countOf('used')
  expect(await contents(bob, 'moa')).toEqual(['a moa'])
  expect(await countOf('used')).toBeGreaterThan(before)
  await replica.kill()
  expect(await contents(bob, 'moa')).toEqual(['a moa'])
  await replica.start()
})

test('a query that the replica cancels because of a recovery conflict runs on the primary', async () => {
  await onDatabase(replica.url, async (client) => {
    await client.query('alter system set max_standby_streaming_delay = 0')
    await client.query('select pg_reload_conf()')
  })
  const asked = node.app.searchDatabases.replica?.run((db) =>
    sql`select pg_sleep(2) from message_search limit 1`.execute(db),
  )
  await expect.poll(() => onDatabase(replica.url, async (it) => (await it.query(SLEEPING)).rows)).toHaveLength(1)
  const lock = sql`lock table message_search in access exclusive mode`
  await node.app.db.transaction().execute((tx) => lock.execute(tx))
  expect(await asked).toBeUndefined()
  expect(node.log()).not.toContain('conflict with recovery')
})
const SLEEPING = `select from pg_stat_activity where query like 'select pg_sleep%'`
