import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { FoundMessage } from '#contract/search'
import { filterText } from '#contract/search-query'
import { purgeOnce } from '../../channels/purge-channels.ts'
import { up } from '../../db/migrations/0007-search.ts'
import { type Person, startParley } from '../../test/support/parley.ts'
import { contents, find, indexAll } from '../../test/support/search.ts'

const parley = await startParley()
const { app } = parley
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
let made = 0

/** A channel of Ada's with Bob, but not Eve. */
async function newChannel(isPrivate = true, name = `search-${made++}`) {
  const { body } = await ada.post('/api/channels', { name, isPrivate, members: [bob.id] })
  return { id: body.id as string, name }
}

test('a found message carries its seq, its author and the matched ranges', async () => {
  const { id: channelId, name } = await newChannel()
  const sent = await bob.say(channelId, 'The Zebra, not the zébra crossing')
  const reply = (await ada.post('/api/threads/messages', { parentMessageId: sent.id, content: 'a zebra too' })).body
  const author = ({ id, username, name }: Person) => ({ id, username, name })
  expect(await find(eve, 'zebra')).toEqual([])
  expect(await find(ada, 'zebra')).toEqual([
    {
      id: reply.id,
      type: 'message',
      location: `#${name}`,
      content: 'a zebra too',
      metadata: {
        channelId,
        messageId: reply.id,
        threadId: sent.id,
        timestamp: reply.createdAt,
        author: author(ada),
        matches: [[2, 7]],
      },
    },
    {
      id: sent.id,
      type: 'message',
      location: `#${name}`,
      content: 'The Zebra, not the zébra crossing',
      metadata: {
        channelId,
        messageId: sent.id,
        threadId: null,
        timestamp: sent.createdAt,
        author: author(bob),
        matches: [
          [4, 9],
          [19, 24],
        ],
      },
    },
  ])
})

test('a long message is excerpted around its first match, as plain text', async () => {
  const { id } = await newChannel()
  await ada.say(id, `${'😀 before '.repeat(300)}<img src=x onerror=needle()>${' after'.repeat(300)} needle`)
  const [found] = (await find(ada, 'onerror=Needle()')) as [FoundMessage]
  const [[from, to]] = found.metadata.matches as [[number, number]]
  expect(found.content.slice(from, to)).toBe('onerror=needle()')
  expect(found.content).toMatch(/^….*<img src=x onerror=needle\(\)>.*…$/)
  expect(found.content.length).toBeLessThan(310)
  expect(found.content.isWellFormed()).toBe(true)
})

test('a direct message is titled with the names of the others', async () => {
  const { body } = await ada.post('/api/direct-messages', { userIds: [bob.id] })
  await ada.say(body.id, 'between the two of us: walrus')
  expect(await find(ada, 'walrus')).toMatchObject([{ location: '@bob' }])
  expect(await find(bob, 'walrus')).toMatchObject([{ location: '@ada' }])
  expect(await find(eve, 'walrus')).toEqual([])
  expect(await find(ada, 'walrus in:@bob')).toHaveLength(1)
  expect(await find(ada, 'walrus in:@eve')).toEqual([])
})

test.each(['waiting for the index', 'indexed'])(
  'search does not find former channels, deleted messages and previous texts, %s',
  async (when) => {
    const word = `marmot${when.length}`
    const open = await newChannel(false)
    const closed = await newChannel()
    const doomed = await newChannel()
    const public_ = await ada.say(open.id, `public ${word}`)
    const private_ = await ada.say(closed.id, `private ${word}`)
    const edited = await bob.say(closed.id, `first ${word}`)
    await ada.say(doomed.id, `doomed ${word}`)
    if (when === 'indexed') await indexAll(app.db)
    expect(await contents(bob, word)).toEqual([`doomed ${word}`, `first ${word}`, `private ${word}`, `public ${word}`])
    // Everyone may read public channels; private ones only their members, not even the workspace's owner.
    expect(await contents(eve, word)).toEqual([`public ${word}`])

    await bob.put(`/api/messages/${edited.id}`, { content: 'second otter' })
    expect(await contents(bob, `first ${word}`)).toEqual([])
    expect(await contents(bob, 'second otter')).toContain('second otter')
    if (when === 'indexed') await indexAll(app.db)
    expect(await contents(bob, `first ${word}`)).toEqual([])
    expect(await contents(bob, 'second otter')).toContain('second otter')
    await bob.delete(`/api/messages/${edited.id}`)
    expect(await contents(bob, 'second otter', { channelId: closed.id })).toEqual([])

    await ada.delete(`/api/channels/${doomed.id}`)
    await ada.post(`/api/channels/${closed.id}/remove-member`, { userId: bob.id })
    expect(await contents(bob, word)).toEqual([`public ${word}`])
    expect(await contents(ada, word)).toEqual([`private ${word}`, `public ${word}`])
    expect(await find(bob, word, { channelId: closed.id })).toEqual([])
    await ada.patch(`/api/channels/${open.id}`, { isPrivate: true })
    expect(await contents(eve, word)).toEqual([])
    await ada.delete(`/api/messages/${private_.id}`)
    await ada.delete(`/api/messages/${public_.id}`)
    expect(await contents(ada, word)).toEqual([])
    const { rows } = await app.pool.query('select text from message_search where text like $1', [`%${word}%`])
    expect(rows).toEqual([{ text: `doomed ${word}` }])
  },
)

test('a reply is found, and updated by edits and deletion', async () => {
  const { id } = await newChannel()
  const parent = await ada.say(id, 'parent')
  const { body: reply } = await bob.post('/api/threads/messages', { parentMessageId: parent.id, content: 'gnu one' })
  await bob.put(`/api/threads/messages/${reply.id}`, { content: 'gnu two' })
  expect(await contents(ada, 'gnu one')).toEqual([])
  expect(await contents(ada, 'gnu two')).toEqual(['gnu two'])
  await bob.delete(`/api/messages/${reply.id}`)
  expect(await contents(ada, 'gnu')).toEqual([])
})

test('filters narrow the results, typed or as parameters', async () => {
  const { id, name } = await newChannel()
  const other = await newChannel()
  const first = await ada.say(id, 'lemur https://example.org')
  const second = await bob.say(id, 'lemur plain')
  await bob.say(other.id, 'lemur elsewhere')
  await ada.post(`/api/messages/${second.id}/reactions`, { emoji: '🎉' })
  const all = ['lemur elsewhere', 'lemur plain', first.content]
  const expected: [string, Record<string, string>, string[]][] = [
    ['lemur', {}, all],
    ['lemur from:bob', {}, all.slice(0, 2)],
    ['FROM:@Bob lemur', {}, all.slice(0, 2)],
    ['lemur from:me', {}, all.slice(2)],
    ['lemur', { from: 'bob' }, all.slice(0, 2)],
    ['lemur', { from: ada.id }, all.slice(2)],
    ['lemur', { from: 'nobody' }, []],
    ['lemur from:ada from:bob', {}, all],
    ['lemur from:ada', { from: 'bob' }, []],
    [`lemur in:${name}`, {}, all.slice(1)],
    [`lemur in:#${name} from:bob`, {}, all.slice(1, 2)],
    ['lemur', { channelId: other.id }, all.slice(0, 1)],
    [`lemur in:${name}`, { channelId: other.id }, []],
    ['lemur has:link', {}, all.slice(2)],
    ['lemur', { has: 'link' }, all.slice(2)],
    ['lemur has:reaction', {}, all.slice(1, 2)],
    ['lemur has:file', {}, []],
    ['lemur has:link', { has: 'reaction' }, []],
    ['lemur after:2020-01-01', {}, all],
    ['lemur before:2020-01-01', {}, []],
    ['lemur', { after: first.createdAt }, all.slice(0, 2)],
    ['lemur', { before: second.createdAt }, all.slice(2)],
    ['lemur before:9999-12-31', { before: '2020-01-01' }, []],
    [`in:${name}`, {}, all.slice(1)],
    [`from:bob in:${name}`, {}, ['lemur plain']],
    ['', { channelId: other.id }, ['lemur elsewhere']],
    ['lemur', { type: 'message' }, all],
    ['lemur', { type: 'file' }, []],
  ]
  for (const indexed of [false, true]) {
    if (indexed) await indexAll(app.db)
    for (const [q, more, found] of expected)
      expect([q, more, indexed, await contents(bob, q, more)]).toEqual([
        q,
        more,
        indexed,
        q.includes('from:me') ? all.slice(0, 2) : found,
      ])
  }
})

test.each(['the "okapi" room', '"quoted okapi"', 'İstanbul okapi', 'İSTANBUL-OKAPI', 'STRAẞE OKAPI'])(
  'a search in the channel %j finds its messages alone',
  async (name) => {
    const { body: channel } = await ada.post('/api/channels', { name, isPrivate: true })
    await ada.say((await newChannel()).id, `an okapi elsewhere, ${name}`)
    await ada.say(channel.id, 'an okapi here')
    expect(await contents(ada, filterText('in', name))).toEqual(['an okapi here'])
    expect(await contents(ada, `okapi ${filterText('in', name.toUpperCase())}`)).toEqual(['an okapi here'])
  },
)

test('a search in a group finds its messages, even if the database has a language’s collation', async () => {
  const sorting = await startParley()
  for (const trigger of ['note_change', 'keep_names_apart_on_update', 'keep_looks_apart_on_update'])
    await sql`drop trigger ${sql.ref(trigger)} on users`.execute(sorting.app.db)
  await sql`alter table users alter username type text collate "und-x-icu"`.execute(sorting.app.db)
  const { cyd, ...others } = await sorting.people('cyd', 'ab-d', 'ab_d')
  const userIds = Object.values(others).map(({ id }) => id)
  await cyd.say((await cyd.post('/api/direct-messages', { userIds })).body.id, 'a quagga here')
  expect(await contents(cyd, 'quagga in:@ab-d,ab_d')).toEqual(['a quagga here'])
})

test('filtering by a private channel’s name reveals nothing about it', async () => {
  const { name } = await newChannel()
  const open = await newChannel(false)
  for (const text of [`see in:${name} ibex`, 'see in:nowhere ibex']) await ada.say(open.id, text)
  expect(await contents(eve, `in:${name} ibex`)).toEqual([`see in:${name} ibex`])
  expect(await contents(eve, 'in:nowhere ibex')).toEqual(['see in:nowhere ibex'])
  expect(await contents(ada, `in:${name} ibex`)).toEqual([])
})

test('results are newest first, and a cursor pages through the rest once each', async () => {
  const [one, two] = [await newChannel(), await newChannel()]
  const sent: string[] = []
  for (let n = 0; n < 45; n++) {
    await ada.say(n % 3 ? one.id : two.id, `tapir ${n}`)
    sent.unshift(`tapir ${n}`)
    if (n === 30) await indexAll(app.db)
  }
  const read: string[] = []
  for (let cursor: string | undefined; ; ) {
    const page = await find(bob, 'tapir', { limit: '7', ...(cursor && { cursor }) })
    if (page.length === 0) break
    read.push(...page.map(({ content }) => content))
    cursor = page.at(-1)?.id
  }
  expect(read).toEqual(sent)
  expect(await contents(bob, 'tapir', { limit: '3' })).toEqual(sent.slice(0, 3))
})

test('results from the index are in order, whatever the order of its blocks', async () => {
  const [one, two] = [await newChannel(), await newChannel()]
  const old = await ada.say(one.id, 'okapi, and later not')
  const sent: string[] = []
  for (let n = 0; n < 40; n++) {
    await ada.say(n < 20 ? one.id : two.id, `okapi ${n}`)
    sent.unshift(`okapi ${n}`)
  }
  await indexAll(app.db)
  await ada.put(`/api/messages/${old.id}`, { content: 'okapi edited' })
  await indexAll(app.db)
  const pages = async (limit: number) => contents(bob, 'okapi', { limit: String(limit) })
  expect(await pages(10)).toEqual(sent.slice(0, 10))
  expect(await pages(41)).toEqual([...sent, 'okapi edited'])
})

test('a repeated send is found once', async () => {
  const { id } = await newChannel()
  await Promise.all([1, 2, 3].map(() => ada.say(id, 'quoll once', 'quoll-once')))
  expect(await contents(bob, 'quoll')).toEqual(['quoll once'])
})

test('a purged channel leaves nothing behind', async () => {
  const { id } = await newChannel()
  await ada.say(id, 'dodo')
  await indexAll(app.db)
  await ada.say(id, 'dodo again')
  await ada.delete(`/api/channels/${id}`)
  await app.db.updateTable('channels').set({ deletedAt: '2020-01-01T00:00:00.000Z' }).where('id', '=', id).execute()
  while (await purgeOnce(app.db));
  for (const table of ['message_search', 'search_blocks'])
    expect((await app.pool.query(`select from ${table} where "channelId" = $1`, [id])).rows).toEqual([])
})

test('messages edited or deleted during indexing are found in their current state', async () => {
  const { id } = await newChannel()
  const sent = await Promise.all(Array.from({ length: 40 }, (_, n) => ada.say(id, `dugong before ${n}`)))
  const changes = sent.map((message, n) => {
    const path = `/api/messages/${message.id}`
    const change = () => (n % 4 === 0 ? ada.delete(path) : ada.put(path, { content: `manatee after ${n}` }))
    // A busy server may refuse it at first.
    return expect.poll(async () => (await change()).status).not.toBe(503)
  })
  await Promise.all([...changes, indexAll(app.db), indexAll(app.db)])
  const expected = sent.flatMap((_, n) => (n % 4 === 0 ? [] : [`manatee after ${n}`]))
  for (const indexed of [false, true]) {
    if (indexed) await indexAll(app.db)
    expect(await contents(bob, 'dugong', { limit: '50' })).toEqual([])
    expect((await contents(bob, 'manatee', { limit: '50' })).sort()).toEqual(expected.sort())
  }
})

test('messages from before the search index are found', async () => {
  const { id } = await newChannel()
  await ada.say(id, 'Kākāpō, long ago')
  const deleted = await ada.say(id, 'kakapo, deleted')
  await ada.delete(`/api/messages/${deleted.id}`)
  await ada.upload(id, 'Kākāpō.txt')
  await app.pool.query(`
    drop table message_search, search_blocks; drop index "messages_withReactions", "messages_withFiles";
    alter table files drop "foldedName"`)
  await up(app.db as never)
  for (const indexed of [false, true]) {
    if (indexed) await indexAll(app.db)
    expect(await contents(bob, 'kakapo')).toEqual(['Kākāpō.txt', 'Kākāpō, long ago'])
  }
})
