import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { limits } from '#contract/limits'
import { quoteOf } from '#contract/quotes'
import { type Contents, readAll, shownContent } from '../../../test/support/import-archive.ts'
import { parleyReader } from './parley.ts'

const lines = (...values: unknown[]) =>
  values.map((it) => (typeof it === 'string' ? it : JSON.stringify(it))).join('\n')
const at = (day: number) => `2024-01-${String(day).padStart(2, '0')}T00:00:00.000Z`
const [c1, m1] = ['01a215d8-95bc-721c-b1e8-4d15f3e09a41', '01a215d8-95bc-721c-b1e8-4d15f3e09a42']

const person = { id: 'p1', username: 'ada', name: 'Ada', deactivatedAt: null }
const channel = {
  ...{ id: c1, kind: 'public', name: 'lab', topic: '', ownerId: 'p1', createdAt: at(1), memberIds: ['p1'] },
  archivedAt: null,
}
const message = (more = {}) => ({
  ...{ id: m1, channelId: c1, threadId: null, userId: 'p1', seq: 1, content: '', createdAt: at(2) },
  ...{ editedAt: null, deletedAt: null, mentions: [], broadcast: null, reactions: [], files: [] },
  ...{ pinnedAt: null, pinnedBy: null },
  ...more,
})
const emoji = (name: unknown, more = {}) => ({
  ...{ name, aliases: [], createdAt: at(1), createdBy: 'p1', path: `emoji/${name}.webp` },
  ...more,
})

const archiveOf = ({ channels = [channel] as unknown[], messages = [] as unknown[], more = {} as Contents }) => ({
  'manifest.json': { format: 'parley-export', version: 1 },
  'data/people.jsonl': lines(person, { ...person, id: 'p2', username: 'Bob' }),
  'data/channels.jsonl': lines(...channels),
  [`data/messages/${c1}.jsonl`]: lines(...messages),
  [`data/files/${c1}.jsonl`]: '',
  ...more,
})
const read = (contents: Parameters<typeof archiveOf>[0]) => readAll(parleyReader, archiveOf(contents))
const readMessages = (...messages: object[]) => read({ messages })

it('emoji come with their names, their picture and who added them', async () => {
  const found = await read({
    more: {
      'data/emoji.jsonl': lines(
        emoji('ship', { aliases: ['Boat', 'boat', 'ship', 'vessel'] }),
        emoji('Spin', { createdBy: 'gone', path: 'emoji/spin.webp' }),
        emoji('anon', { createdBy: undefined, createdAt: 'once' }),
      ),
      'emoji/ship.webp': 'a ship',
      'emoji/spin.webp': 'spins',
      'emoji/anon.webp': '?',
    },
  })
  expect(found.omitted).toEqual({ unknownPerson: ['gone'] })
  expect(found.emoji).toMatchObject([
    { key: 'ship', aliases: ['boat', 'vessel'], authorKey: 'p1', createdAt: at(1), size: 6 },
    { key: 'spin', aliases: [], authorKey: 'gone', size: 5 },
    { key: 'anon', authorKey: null, createdAt: null },
  ])
})

it('the picture of an emoji is that of the archive, also inside a folder', async () => {
  const packed = archiveOf({ more: { 'data/emoji.jsonl': lines(emoji('ship')), 'emoji/ship.webp': 'a ship' } })
  const inFolder = Object.fromEntries(Object.entries(packed).map(([path, content]) => [`backup/${path}`, content]))
  const pictures: string[] = []
  const reader = {
    ...parleyReader,
    async *read(...options: Parameters<typeof parleyReader.read>) {
      for await (const record of parleyReader.read(...options)) {
        if (record.kind === 'emoji') pictures.push(await text(await record.open()))
        yield record
      }
    },
  }
  await readAll(reader, inFolder)
  expect(pictures).toEqual(['a ship'])
})

it('an older export has no emoji, and nothing is reported missing', async () => {
  const found = await read({ messages: [message({ content: 'hi :ship:' })] })
  expect([found.emoji, found.omitted]).toEqual([[], {}])
})

it('an emoji without a valid name of its own or without a picture is reported and left out', async () => {
  const found = await read({
    more: {
      'data/emoji.jsonl': lines(
        emoji('ship', { aliases: ['boat', 7, null, '../x', ...Array.from({ length: 99 }, (_, n) => `more${n}`)] }),
        ...['ship', 'Boat', '', 'two words', 'x'.repeat(40)].map((name) => emoji(name, { path: 'emoji/ship.webp' })),
        emoji({ name: 'ship' }),
        emoji('gone'),
        emoji('people', { path: 'data/people.jsonl' }),
        emoji('above', { path: '../emoji/ship.webp' }),
      ),
      'emoji/ship.webp': 'a ship',
    },
  })
  expect(found.emoji.map(({ key }) => key)).toEqual(['ship'])
  expect(found.emoji[0]?.aliases).toHaveLength(limits.emoji.aliases)
  expect(found.omitted).toEqual({
    refusedEmoji: ['ship', 'Boat', '', 'two words', 'x'.repeat(40), ''],
    missingFile: [':gone:', ':people:', ':above:'],
  })
})

it('a channel is archived since the given time, or since an unknown one', async () => {
  const channels = [at(3), 'long ago', null, undefined].map((archivedAt, n) => ({
    ...{ ...channel, id: `c${n}`, name: `lab ${n}`, archivedAt },
  }))
  const found = await read({ channels })
  expect(found.channels.map(({ archived }) => archived)).toEqual([at(3), true, undefined, undefined])
})

it('a pinned message comes with when and by whom, and people known only from that come first', async () => {
  const { messages, people } = await readMessages(
    message({ id: 'a', pinnedAt: at(3), pinnedBy: 'p9' }),
    message({ id: 'b', pinnedAt: 'once', pinnedBy: null }),
    message({ id: 'c', pinnedAt: at(3), pinnedBy: 'p8', deletedAt: at(4) }),
    message({ id: 'd' }),
    message({ id: 'e', pinnedAt: undefined, pinnedBy: undefined }),
  )
  expect(messages.map(({ pin }) => pin)).toEqual([
    { at: at(3), personKey: 'p9' },
    { at: null, personKey: null },
    undefined,
    undefined,
    undefined,
  ])
  expect(people.map(({ key }) => key)).toEqual(['p1', 'p2', 'p9'])
})

it('earlier texts refer to people, channels and messages as the current one does', async () => {
  const link = `/channels/${c1}?message=${m1}`
  const earlier = [
    { content: `@bob, @gone: see #lab and [this](${link}), @channel`, writtenAt: at(2) },
    { content: 'no time', writtenAt: 'once' },
    { content: 'second', writtenAt: at(3) },
  ]
  const { messages } = await readMessages(
    message({
      ...{ earlier, content: 'third @gone', editedAt: at(4) },
      mentions: [{ userId: 'p7', username: 'gone' }],
    }),
    message({ id: 'b', earlier, deletedAt: at(4), editedAt: at(3) }),
    message({ id: 'c', earlier }),
  )
  expect(messages.map((it) => it.earlier?.map(({ content, writtenAt }) => [shownContent(content), writtenAt]))).toEqual(
    [
      [
        [`{@p2}, {@p7}: see {#${c1}} and {message ${m1}}, @channel`, at(2)],
        ['second', at(3)],
      ],
      undefined,
      undefined,
    ],
  )
})

it('a quote leads to the imported message', async () => {
  const quote = quoteOf({ channelId: c1, messageId: m1 }, 'Ada, 3 May')
  const path = `/channels/${c1}?message=${m1}`
  const { messages } = await readMessages(
    message({ content: `${quote}\n\nYes, and \`${quote}\`` }),
    message({ id: 'b', content: `[](https://old.example${path}#quote)` }),
    message({ id: 'c', content: `[plan](${path}) https://old.example${path}#quote` }),
  )
  expect(messages.map(({ content }) => content)).toEqual([
    [{ message: m1, text: quote, label: 'Ada, 3 May', isQuote: true }, { text: `\n\nYes, and \`${quote}\`` }],
    [{ message: m1, text: `[](https://old.example${path}#quote)`, label: '', isQuote: true }],
    [
      { message: m1, text: `[plan](${path})`, label: 'plan' },
      { text: ' ' },
      { message: m1, text: `https://old.example${path}#quote` },
    ],
  ])
})

it('reactions with emoji of the workspace are kept, and mentioned groups stay text', async () => {
  const { messages, people } = await readMessages(
    message({
      content: 'hi @crew and @ada',
      mentions: [
        { userId: 'g1', username: 'crew', isGroup: true },
        { userId: 'p1', username: 'ada' },
      ],
      reactions: [':Ship:', ':not one:', '👍'].map((sign) => ({ emoji: sign, userIds: ['p1'] })),
    }),
  )
  expect(messages[0]?.reactions.map((it) => it.emoji)).toEqual([':ship:', '👍'])
  expect(shownContent(messages[0]?.content ?? [])).toBe('hi @crew and {@p1}')
  expect(people.map(({ key }) => key)).toEqual(['p1', 'p2'])
})

const hostile = [null, true, -1, 1.5, '', '\0\ud800', 'x'.repeat(50_000), [], {}, [[]], [null, 'x', {}], { id: [] }]
const withEach = <T extends object>(whole: T) =>
  Object.keys(whole).flatMap((field) => hostile.map((value) => ({ ...whole, [field]: value })))

it('whatever a field contains, reading neither fails nor yields what the database cannot store', async () => {
  const earlier = withEach({ content: 'first', writtenAt: at(2) })
  const whole = message({ content: 'second', editedAt: at(3), pinnedAt: at(3), pinnedBy: 'p1', earlier: [] })
  const messages = [...withEach(whole), { ...whole, earlier }].map((it, n) => ({ ...it, id: `m${n}` }))
  const found = await read({
    channels: [channel, ...withEach(channel).map((it, n) => ({ ...it, id: `c${n}` }))],
    messages,
    more: {
      'data/emoji.jsonl': lines(emoji('ship'), ...withEach(emoji('boat')), ...hostile),
      'emoji/ship.webp': 'a ship',
      'emoji/boat.webp': 'a boat',
    },
  })
  expect(found.emoji.map(({ key }) => key)).toEqual(['ship', 'boat'])
  expect(found.messages.length).toBeGreaterThan(100)
  for (const record of found.records) {
    const written = JSON.stringify(record)
    expect(written).not.toContain('\\u0000')
    expect(written).not.toMatch(/\\ud[89a-f]/)
  }
})
