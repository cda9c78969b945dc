import { sql } from 'kysely'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { onDatabase, urlOf } from '../test/support/database.ts'
import { type Person, serve, signUp } from '../test/support/parley.ts'
import { startReplicatedPostgres } from '../test/support/replica.ts'
import { contents, indexAll } from '../test/support/search.ts'

// Searches with DATABASE_READ_URL. Each test leaves a replica that is available and has everything.

/** More than the newest, which the primary searches. */
const NEWER_MESSAGES = 2100
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

/** Waits until the replica has everything and is used. */
async function untilUsed() {
  await replica.untilReplayed()
  await expect.poll(isAvailable).toBe(true)
}

async function countOf(outcome: string) {
  const { body } = await node.app.inject('/metrics')
  return Number(new RegExp(`answers_total\\{outcome="${outcome}"\\} (\\d+)`).exec(body)?.[1] ?? 0)
}

/** A channel of Ada and Bob with old, indexed messages and files. */
async function oldChannel(...texts: string[]) {
  const channel = { name: `channel-${made++}`, isPrivate: true, members: [bob.id] }
  const { id: channelId } = (await ada.post('/api/channels', channel)).body
  const messages: { id: string }[] = []
  for (const text of texts) messages.push(await ada.say(channelId, text))
  const { id: newer } = (await ada.post('/api/channels', { name: `newer-${made++}`, isPrivate: true })).body
  await sql`
    with added as (
      insert into messages (id, "channelId", "userId", content, seq, rev)
      select uuidv7(), ${newer}, ${ada.id}, 'newer ' || n, n, n from generate_series(1, ${sql.lit(NEWER_MESSAGES)}) n
      returning id, "channelId", content
    )
    insert into message_search ("messageId", "channelId", text) select * from added`.execute(node.app.db)
  await indexAll(node.app.db)
  await untilUsed()
  return { channelId, messages }
}

test('the replica finds old messages, and the primary the newest', async () => {
  const { channelId } = await oldChannel('an old quagga', 'another quagga')
  const before = await countOf('used')
  await replica.pauseReplay()
  // Only the replica has an index now.
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

test('what was edited, deleted or lost is never found, however old the replica is', async () => {
  const { channelId, messages } = await oldChannel('gnu to keep', 'gnu to edit', 'gnu to delete')
  const file = (await ada.upload(channelId, 'gnu.txt')).body
  await replica.untilReplayed()
  await replica.pauseReplay()
  const before = await countOf('outdated')
  await ada.put(`/api/messages/${messages[1]?.id}`, { content: 'edited' })
  await ada.delete(`/api/messages/${messages[2]?.id}`)
  await expect
    .poll(async () => {
      expect(await contents(ada, 'gnu', { type: 'message' })).toEqual(['gnu to keep'])
      return countOf('outdated')
    })
    .toBeGreaterThan(before)
  await ada.delete(`/api/files/${file.id}`)
  expect(await contents(ada, 'gnu')).toEqual(['gnu to keep'])
  await ada.post(`/api/channels/${channelId}/remove-member`, { userId: bob.id })
  expect(await contents(bob, 'gnu')).toEqual([])
  await ada.delete(`/api/channels/${channelId}`)
  expect(await contents(ada, 'gnu')).toEqual([])
  await replica.resumeReplay()
})

test('pages of results are complete, also where the replica lacks a deletion', async () => {
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

test('while the replica is frozen or down, the primary searches', async () => {
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

test('a query that the replica cancels in favor of a change is asked of the primary', async () => {
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

test('the database of another workspace is refused with a sentence', async () => {
  await onDatabase(primaryUrl, (client) => client.query('create database other'))
  await migrated(urlOf(primaryUrl, 'other'))
  await oldChannel('a mammoth')
  const misled = await openNode(urlOf(primaryUrl, 'other'), FOREVER_MS)
  await expect.poll(misled.log).toContain('it is the database of another workspace')
  const { body } = await misled.app.inject({ url: '/api/search?q=mammoth', headers: headersOf(bob) })
  expect(JSON.parse(body)).toMatchObject([{ content: 'a mammoth' }])
  await misled.app.close()
})
const headersOf = ({ token }: Person) => ({ authorization: `Bearer ${token}` })
