import { sql } from 'kysely'
import { beforeAll, expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import type { Profile } from '#contract/users'
import { ensureChannels } from '../../scripts/seed/channels.ts'
import { findFaults } from '../../scripts/seed/check.ts'
import { loadMessages } from '../../scripts/seed/load.ts'
import { countOthers, ensurePeople, PASSWORD } from '../../scripts/seed/people.ts'
import type { buildApp } from '../../server/app.ts'
import { readWorkspaceName } from '../../server/db/workspace-name.ts'
import { hasDemo, playDemo, readDemoWeek } from '../../server/demo/week.ts'
import { storageKeyOf } from '../../server/files/storage.ts'
import { startParley } from '../../server/test/support/parley.ts'

let app: Awaited<ReturnType<typeof buildApp>>
let ask: (path: string) => Promise<unknown>
const now = Date.parse('2026-03-06T11:46:00Z')

beforeAll(async () => {
  const parley = await startParley({ SIGNUP: 'open' })
  app = parley.app
  const people = await ensurePeople(app, 16)
  const ids = people.map(({ id }) => id)
  const channels = await ensureChannels(app.pool, ids, 8, new Date(now - 30 * 24 * 3600_000))
  const { startsAt, conversations } = readDemoWeek(now)
  const [{ id, members } = { id: '', members: [''] }] = channels
  const early = Array.from({ length: 30 }, (_, i) => ({
    userId: members[0] as string,
    content: `${i}`,
    at: startsAt - 60_000,
  }))
  await loadMessages(app.pool, id, early)
  expect(await hasDemo(app)).toBe(false)
  const byUsername = new Map(people.map((person) => [person.username, person.id]))
  await playDemo(app, conversations, byUsername, new Map(channels.map((it) => [it.name, it.id])))

  const payload = { username: 'ada', password: PASSWORD }
  const signedIn = await app.inject({ method: 'POST', url: '/api/auth/sign-in/username', payload })
  const cookie = signedIn.cookies.map((it) => `${it.name}=${encodeURIComponent(it.value)}`).join('; ')
  const { token } = (await app.inject({ url: '/api/auth/token', headers: { cookie } })).json()
  ask = async (path) => (await app.inject({ url: path, headers: { authorization: `Bearer ${token}` } })).json()
}, 300_000)

test('the demo data obeys the database’s rules, and its files exist', async () => {
  expect(await hasDemo(app)).toBe(true)
  expect(await readWorkspaceName(app.db)).toBe('Gangway')
  expect(await findFaults(app.pool, app.storage)).toEqual([])
})

test('Ada has unread messages in every kind of conversation', async () => {
  const { channels, directMessages } = (await ask('/api/channels?limit=100')) as Record<string, Channel[]>
  const unread = (all: Channel[] = []) =>
    all.filter((it) => it.unread).map(({ name, unread, mentions }) => ({ name, unread, mentions }))
  expect(unread(channels)).toEqual([
    { name: 'incidents', unread: 1, mentions: 0 },
    { name: 'launch', unread: 3, mentions: 1 },
    { name: 'lunch', unread: 2, mentions: 0 },
  ])
  expect(
    unread(directMessages)
      .map((it) => it.unread)
      .sort(),
  ).toEqual([1, 2])
  const { threads } = (await ask('/api/threads')) as { threads: { mentions: number; unread: number }[] }
  expect(threads.filter((it) => it.unread > 0).map(({ unread, mentions }) => ({ unread, mentions }))).toEqual([
    { unread: 1, mentions: 1 },
    { unread: 1, mentions: 0 },
  ])
})

test('the demo data contains every kind of content', async () => {
  const { rows } = await sql<Record<string, number>>`
    select count(distinct type) filter (where type like 'image/%') as pictures, count(distinct type) as types
    from files where state = 'ready'`.execute(app.db)
  expect(rows[0]).toEqual({ pictures: 2, types: 8 })
  const { rows: counts } = await sql<Record<string, number>>`
    select count(*) filter (where "editedAt" is not null) as edited, count(*) filter (where "deletedAt" is not null) as deleted,
      count(*) filter (where content ~ '\`\`\`') as code, count(*) filter (where content ~ '\\| ---') as tables,
      count(*) filter (where content ~ '- \\[x\\]') as tasks, count(*) filter (where content ~ '(^|\\n)> ') as quotes
    from messages`.execute(app.db)
  for (const count of Object.values(counts[0] ?? {})) expect(count).toBeGreaterThan(0)
})

test('most people of the demo have a picture, each another, and the others a colour of their own', async () => {
  const people = (await ask('/api/users')) as Profile[]
  const pictures = people.flatMap(({ avatarUrl }) => avatarUrl?.split('/').at(-2) ?? [])
  expect([pictures.length, new Set(pictures).size]).toEqual([13, 13])
  const colors = people.flatMap(({ avatarUrl, color }) => (avatarUrl ? [] : (color ?? [])))
  expect([colors.length, new Set(colors).size]).toEqual([3, 3])
})

// Each inconsistency of the seeded data, and the SQL that produces it.
const slips = {
  'the reply count is wrong': `update messages set "replyCount" = "replyCount" + 1 where "replyCount" > 2`,
  'the last repliers are wrong': `update messages set "lastRepliers" = '{nobody}' where "replyCount" > 2`,
  'an author of a reply does not follow the thread': 'delete from thread_follows',
  'the reactions differ from their table': 'delete from reactions',
  'the files differ from their table': `update messages set files = '[]'`,
  'a file is not ready': `update files set size = 0`,
  'the mentions differ from their table': 'delete from mentions',
  'a mention has the wrong seq': 'update mentions set seq = seq + 1',
  'the search index is outdated': 'delete from message_search',
  'the time of the last message is wrong': 'update channels set "lastMessageAt" = now()',
  'the messages are not numbered without gaps': 'update channels set seq = seq + 1',
  'the rev is not that of the newest change': 'update channels set rev = rev + 1',
} as const

test.each(Object.entries(slips))('the check reports %s', async (fault, slip) => {
  const client = await app.pool.connect()
  try {
    await client.query('begin')
    await client.query(slip)
    const faults = await findFaults(client)
    expect(faults.map((it) => it.replace(/^.*?: /, ''))).toContain(fault)
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test('the check reports missing files', async () => {
  const { rows } = await sql<{ id: string }>`select id from files where state = 'ready' limit 1`.execute(app.db)
  await app.storage.remove([storageKeyOf(rows[0]?.id as string)])
  expect(await findFaults(app.pool, app.storage)).toHaveLength(1)
})

test('the check reports users outside the demo, and seeding leaves their channels alone', async () => {
  const parley = await startParley({ SIGNUP: 'open' })
  const people = await ensurePeople(parley.app, 16)
  expect(await countOthers(parley.app)).toBe(0)
  const signUp = { name: 'Real', username: 'real', email: 'real@company.test', password: PASSWORD }
  const { statusCode } = await parley.app.inject({ method: 'POST', url: '/api/auth/sign-up/email', payload: signUp })
  expect(statusCode).toBe(200)
  expect(await countOthers(parley.app)).toBe(1)

  await sql`insert into channels (id, kind, name, "ownerId", "memberCount", rev, "selfRev")
    select gen_random_uuid(), 'private', 'Customers', id, 1, 1, 1 from users where username = 'real'`.execute(
    parley.app.db,
  )
  const channels = await ensureChannels(
    parley.app.pool,
    people.map(({ id }) => id),
    8,
    new Date(now),
  )
  expect(channels.map(({ name }) => name)).not.toContain('customers')
  expect(channels).toHaveLength(7)
})
