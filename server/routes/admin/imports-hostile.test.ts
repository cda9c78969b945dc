import pg from 'pg'
import { expect, test } from 'vitest'
import { ASSISTANT } from '#contract/ids'
import { ChannelNames } from '../../imports/channel-names.ts'
import {
  channelOf,
  channelsOf,
  contents,
  id,
  importsOf,
  lines,
  messagesOf,
  room,
  said,
  someone,
} from '../../test/support/imported-workspace.ts'
import { longTest } from '../../test/support/long.ts'
import { startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { olga, ada, bob } = await parley.people('olga', 'ada', 'bob')
const { db } = parley.app
const { until, uploaded, undone } = importsOf(parley, olga)
await db.updateTable('users').set({ emailVerified: true }).where('id', 'in', [ada.id, bob.id]).execute()

const ADA = someone(1, 'ada', { email: ada.email })
const BOB = someone(2, 'bob', { email: bob.email })
const archiveOf = (people: object[], rooms: [object, ...object[]][]): Record<string, string | Buffer> => ({
  ...contents(),
  'data/people.jsonl': lines(...people),
  'data/channels.jsonl': lines(...rooms.map(([channel]) => channel)),
  ...Object.fromEntries(
    rooms.map(([channel, ...messages]) => [
      `data/messages/${(channel as { id: string }).id}.jsonl`,
      lines(...messages),
    ]),
  ),
})
async function imported(files: Record<string, string | Buffer>) {
  const { id: importId } = await uploaded(files)
  expect((await olga.post(`/api/imports/${importId}/start`)).status).toBe(200)
  return until('done')
}

test('people who had left a private channel, even its owner, get no access to it', async () => {
  const mention = { mentions: [{ userId: 'p1', username: 'ada' }] }
  const vault = { ...room(11, 'private', 'vault', ['p2', 'p3']), ownerId: 'p1' }
  const done = await imported(
    archiveOf(
      [ADA, BOB, someone(3, 'mia')],
      [
        [
          vault,
          said(1101, 11, 'p1', 'quartz plan'),
          said(1102, 11, 'p2', 'quartz for @ada', { ...mention, threadId: id(1101) }),
          said(1103, 11, 'p2', 'more quartz for @ada', mention),
        ],
      ],
    ),
  )
  const hidden = await channelOf(bob, 'vault')
  expect(hidden).toMatchObject({ kind: 'private', ownerId: bob.id })
  const channelId = hidden?.id as string
  expect((await channelsOf(ada)).map(({ name }) => name)).not.toContain('vault')
  for (const path of [`channels/${channelId}`, `messages/channel/${channelId}`])
    expect((await ada.get(`/api/${path}`)).status, path).toBe(404)
  for (const path of ['threads', 'mentions', 'search?q=quartz', 'channels'])
    expect(JSON.stringify((await ada.get(`/api/${path}`)).body), path).not.toMatch(
      /quartz (plan|for)|more quartz|vault/,
    )
  await undone(done)
})

test('nobody can be imported as the assistant', async () => {
  const { id: importId } = await uploaded(archiveOf([BOB, someone(4, 'kim')], [[room(12, 'public', 'kims', ['p4'])]]))
  const chosen = await olga.post(`/api/imports/${importId}/start`, { people: [{ key: 'p4', userId: ASSISTANT }] })
  expect(chosen.status).toBe(400)
  expect((await olga.delete(`/api/imports/${importId}`)).body.state).toBe('cancelled')
})

test('names that are long, invisible, reserved or taken are replaced by valid ones', async () => {
  const letters = '\u{10428}'.repeat(60)
  const asked = [
    letters,
    letters,
    `a${letters}`,
    `a${letters}`,
    '\u202evault\u0007',
    'dm-ada',
    '\u0440ublic-files',
    '',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿'.repeat(20),
  ]
  const done = await imported(
    archiveOf(
      [
        someone(5, 'assistant', { name: 'Assist\u0430nt' }),
        someone(6, 'deleted\u0000\u202e', { name: 'Ma\u202er\u0007y\nAnn' }),
        someone(7, '', { name: '', email: `${'x'.repeat(9000)}@old.example` }),
      ],
      asked.map((name, n) => [{ ...room(20 + n, 'public', name, ['p6']), topic: 'a\u202e\u0007b' }]),
    ),
  )
  const came = (await olga.get('/api/channels?limit=100')).body.channels.filter(
    ({ topic }: { topic: string }) => topic === 'ab',
  )
  expect(came).toHaveLength(asked.length)
  expect(new Set(came.map(({ name }: { name: string }) => name.toLowerCase())).size).toBe(asked.length)
  for (const { name } of came) expect(name).not.toMatch(/[\p{Cc}\u202e]|^dm-|^public-files$/u)
  const { people } = (await olga.get('/api/imports/people')).body
  expect(people.map(({ name }: { name: string }) => name).sort()).toEqual(['Mary Ann', 'person', 'person-2'])
  await undone(done)
})

test('thousands of channels with the same name are renamed quickly', () => {
  const names = new ChannelNames([])
  for (let n = 0; n < 2000; n++) names.add(names.free('general', 'slack'))
  expect(names.free('general', 'slack')).toBe('general-slack-2000')
})

longTest('content that is too long for the database is still imported', async () => {
  const crowd = Array.from({ length: 50 }, (_, n) => someone(100 + n, `crowd${n}`))
  const mentions = crowd.map(({ id: userId, username }) => ({ userId, username }))
  const content = mentions.map(({ username }) => `@${username}`).join(' ')
  const longKey = 'k'.repeat(5000)
  const done = await imported(
    archiveOf(
      [BOB, ...crowd, { ...someone(8, 'lena'), id: longKey }],
      [
        [
          room(30, 'public', 'crowded', ['p2', longKey]),
          ...Array.from({ length: 200 }, (_, n) => said(3000 + n, 30, 'p2', content, { mentions })),
          said(3300, 30, longKey, `${'word '.repeat(2_000_000)}end`),
        ],
      ],
    ),
  )
  const crowded = await channelOf(bob, 'crowded')
  const messages = await messagesOf(bob, crowded?.id)
  expect(messages.at(-1)).toMatchObject({ content: expect.stringMatching(/end$/), user: { username: 'lena' } })
  const counted = db.selectFrom('mentions').select(({ fn }) => fn.countAll<number>().as('n'))
  expect(Number((await counted.where('channelId', '=', crowded?.id as string).executeTakeFirstOrThrow()).n)).toBe(
    10_000,
  )
  await undone(done)
})

test('lines of invalid UTF-8 or JSON are skipped, and the others imported', async () => {
  const files = archiveOf([BOB], [[room(31, 'public', 'broken', ['p2']), said(3101, 31, 'p2', 'before')]])
  const path = `data/messages/${id(31)}.jsonl`
  const done = await imported({
    ...files,
    [path]: Buffer.concat([
      Buffer.from(files[path] ?? ''),
      Buffer.from([0xff, 0xfe, 0x0a, 0x7b, 0x22, 0x0a]),
      Buffer.from(lines(said(3102, 31, 'p2', 'after'))),
    ]),
  })
  const messages = await messagesOf(bob, (await channelOf(bob, 'broken'))?.id)
  expect(messages.map(({ content }: { content: string }) => content)).toEqual(['before', 'after'])
  expect(done.plan?.omitted).toMatchObject([{ omission: 'damagedLine', count: 2 }])
  await undone(done)
})

test('a person who claims their account while the import is being undone keeps it', async () => {
  const done = await imported(archiveOf([BOB, someone(9, 'nora')], [[room(32, 'public', 'noras', ['p9'])]]))
  const nora = await db.selectFrom('users').select('id').where('username', '=', 'nora').executeTakeFirstOrThrow()
  const client = new pg.Client(parley.databaseUrl)
  await client.connect()
  await client.query('begin')
  await client.query(
    `insert into accounts (id, "userId", "accountId", "providerId", password) values ($1, $2, $2, 'credential', 'x')`,
    [id(999), nora.id],
  )
  expect((await olga.delete(`/api/imports/${done.id}`)).status).toBe(200)
  const waiting = async () => {
    const { rows } = await parley.app.pool.query(
      `select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rows[0].n
  }
  await expect.poll(waiting).toBeGreaterThan(0)
  await client.query('commit')
  await client.end()
  await until('undone')
  const left = db.selectFrom('users').select('deactivatedAt').where('id', '=', nora.id)
  expect(await left.executeTakeFirst()).toEqual({ deactivatedAt: null })
})
