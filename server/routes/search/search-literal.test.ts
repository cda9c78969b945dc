import pg from 'pg'
import { expect, test, vi } from 'vitest'
import { limits } from '#contract/limits'
import { startParley } from '../../test/support/parley.ts'
import { ask, contents, find } from '../../test/support/search.ts'

// Every input is either searched for literally or refused with a clear error, quickly.

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
let made = 0

async function newChannel() {
  const { body } = await ada.post('/api/channels', { name: `literal-${made++}`, isPrivate: true, members: [bob.id] })
  return { id: body.id as string }
}

test.each([
  ['nothing', ''],
  ['white space', ' \t\n\u00a0 '],
  ['invisible characters', '\u200b \u200d'],
  ['accents alone', '\u0301'],
])('%s finds nothing', async (_, q) => {
  expect(await find(ada, q)).toEqual([])
})

test.each([
  ['a thousand characters', 'x'.repeat(1000)],
  ['operators', "& | ! : * () <-> :* && || ' ''"],
  ['query syntax of a database', "foo' | !bar & (baz:*) <2> qux:A"],
  ['wildcards', '% _ %% __ \\% \\_ * ?'],
  ['backslashes', '\\\\\\ \\'],
  ['one quote', '"'],
  ['quotes', '"" " """ " “ ” „'],
  ['unbalanced', '("[{<'],
  ['words of operators', 'AND OR NOT NEAR'],
  ['filters of nothing', 'from: in: before: after: has: from:"" in:""'],
  ['filters of nonsense', 'from:% in:_ in:# in:@ from:@ before:2026-02-31 after:yesterday has:everything'],
  [
    'many words',
    Array.from({ length: 300 }, (_, n) => `w${n}`)
      .join(' ')
      .slice(0, 1000),
  ],
  ['letters of every kind', 'a b c d é ß 漢 字 ก 한 🎉 👩‍👩‍👧‍👦 \u202e'],
  ['a lone mark', 'a\u0301\u0301\u0301 \u20dd \ufe0f'],
])('%s are searched literally', async (_, q) => {
  const { id } = await newChannel()
  expect(await contents(bob, q, { channelId: id })).toEqual([])
  const { body } = await bob.post('/api/messages', { channelId: id, content: `<${q}>` })
  expect(body.content).toBe(`<${q}>`)
  for (const word of q.split(/\s+/u).filter((it) => it !== ''))
    expect(await find(bob, word, { channelId: id }), word).toMatchObject([{ id: body.id }])
})

test.each([
  [{ q: 'x'.repeat(limits.search.query + 1) }],
  [{ q: 'x'.repeat(10_000) }],
  [{ q: 'a\0b' }],
  [{ q: 'x', before: 'yesterday' }],
  [{ q: 'x', after: '2026-02-30' }],
  [{ q: 'x', has: 'everything' }],
  [{ q: 'x', type: 'person' }],
  [{ q: 'x', channelId: 'general' }],
  [{ q: 'x', limit: '51' }],
  [{ q: 'x', cursor: '7' }],
])('%j is refused', async (query) => {
  const { status, code, body } = await ask(ada, query as Record<string, string>)
  expect([status, code]).toEqual([400, 'invalid'])
  expect(Object.keys(body.error.fields)).toEqual([Object.keys(query).at(-1)])
})

test('a search takes a constant number of queries', async () => {
  const { id } = await newChannel()
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const queriesFor = async (q: string, count: number) => {
    query.mockClear()
    expect(await find(ada, q, { channelId: id, limit: '50' })).toHaveLength(count)
    const queries = query.mock.calls.map(([text]) => JSON.stringify(text))
    // Polls for changes and for messages to index run on the same connections.
    const isPoll = (text: string) => /pg_current_snapshot|xmin|select 1 from message_search/.test(text)
    return queries.filter((text) => /message_search|usernames?\b/.test(text) && !isPoll(text)).length
  }
  await ada.say(id, 'numbat')
  const few = await queriesFor('numbat', 1)
  await Promise.all(Array.from({ length: 49 }, () => ada.say(id, 'numbat')))
  const many = await queriesFor('numbat from:ada', 50)
  query.mockRestore()
  expect(few).toBeLessThanOrEqual(3)
  expect(many).toBeLessThanOrEqual(3)
})

test('concurrent searches of one person are limited', async () => {
  const answers = await Promise.all(Array.from({ length: limits.search.atOnce + 5 }, () => ask(eve, { q: 'anything' })))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]))
  expect(await find(eve, 'anything')).toEqual([])
})

test('a search that takes too long is cancelled with a clear error', async () => {
  const locker = new pg.Client({ connectionString: parley.databaseUrl })
  await locker.connect()
  await locker.query('begin; lock table message_search in access exclusive mode')
  const { status, code, headers } = await ask(ada, { q: 'anything' })
  await locker.query('rollback')
  await locker.end()
  expect([status, code, headers['retry-after']]).toEqual([503, 'unavailable', '2'])
  expect((await ask(ada, { q: 'anything' })).status).toBe(200)
})
