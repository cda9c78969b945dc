import { afterEach, expect, test } from 'vitest'
import { limits } from '#contract/limits'
import { storageKeyOf } from '../../files/storage.ts'
import { addEmoji, movingPicture } from '../../test/support/emoji-pictures.ts'
import { PICTURE } from '../../test/support/fixture.ts'
import {
  at,
  channelOf,
  contents,
  id,
  importsOf,
  lines,
  messagesOf,
  room,
  said,
} from '../../test/support/imported-workspace.ts'
import { startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { olga, ada, eve } = await parley.people('olga', 'ada', 'eve')
const { app } = parley
const { db, storage } = app
const { newest, imported, uploaded, undone, until } = importsOf(parley, olga)

/** Undoes the import that a test has left open. */
async function closeOpen() {
  const open = await newest()
  if (['accepted', 'undone', 'cancelled'].includes(open.state)) return
  await olga.delete(`/api/imports/${open.id}`)
  await until(open.state === 'ready' ? 'cancelled' : 'undone')
}
afterEach(closeOpen)

const emojiLine = (name: string, aliases: string[] = [], more = {}) => ({
  ...{ name, aliases, createdAt: at(2), createdBy: 'p3', path: `emoji/${name}.webp` },
  ...more,
})
const party = (more: object = {}) => ({ emoji: ':party:', count: 1, userIds: ['p3'], ...more })

/** The usual archive with emoji, pins, an archived channel and an edited message. */
const withExtras = async (emoji: object[], more: Record<string, string | Buffer> = {}) => ({
  ...contents(),
  'data/emoji.jsonl': lines(...emoji),
  'emoji/party.webp': Buffer.from(PICTURE),
  'emoji/spin.webp': await movingPicture(),
  'emoji/broken.webp': Buffer.from('no picture'),
  ...more,
})

const emojiOf = async (by = ada) => (await by.get('/api/emoji')).body as { name: string; aliases: string[] }[]

test('emoji come with their names and authors, and an undo removes them and nobody else’s', async () => {
  await addEmoji(olga, 'ours', PICTURE, ['mine'])
  const files = await withExtras(
    [
      emojiLine('party', ['fiesta', 'mine']),
      emojiLine('spin', [], { createdBy: null }),
      emojiLine('ours', ['theirs'], { path: 'emoji/party.webp' }),
      emojiLine('broken'),
      emojiLine('ship', [], { path: 'emoji/party.webp' }),
    ],
    {
      [`data/messages/${id(2)}.jsonl`]: lines(
        said(201, 2, 'p3', 'a :fiesta:', {
          reactions: [
            party(),
            party({ emoji: ':fiesta:', userIds: ['p1'] }),
            party({ emoji: ':theirs:' }),
            party({ emoji: ':unknown:' }),
            party({ emoji: ':x x:' }),
          ],
        }),
      ),
    },
  )
  const { plan, id: importId } = await uploaded(files)
  expect(plan).toMatchObject({ emoji: 2, pins: 0, archived: 0 })
  expect(Object.fromEntries((plan?.omitted ?? []).map((it) => [it.omission, it.examples]))).toEqual({
    takenEmoji: [':ours:'],
    refusedEmoji: [':broken:', ':ship:'],
  })
  expect(await emojiOf()).toHaveLength(1)
  const listener = await eve.listen()
  await listener.waitFor('ready')
  await olga.post(`/api/imports/${importId}/start`)
  await until('done')
  // Everybody's page hears of them.
  await listener.waitFor('emoji:changed')
  const emoji = await emojiOf()
  expect(emoji).toMatchObject([
    { name: 'ours', aliases: ['mine'], by: { id: olga.id } },
    { name: 'party', aliases: ['fiesta'], createdAt: at(2), by: { username: 'mia' } },
    { name: 'spin', aliases: [], by: { id: olga.id } },
  ])
  const { body: spin } = await olga.get('/api/emoji')
  expect(spin[2].url).not.toBe(spin[2].stillUrl)
  const { rows } = await readReactions()
  expect(rows).toEqual([
    { emoji: ':ours:', count: 1 },
    { emoji: ':party:', count: 2 },
    { emoji: ':unknown:', count: 1 },
  ])

  const fileIds = (await db.selectFrom('emoji').select('fileId').where('importId', 'is not', null).execute()).map(
    ({ fileId }) => fileId,
  )
  await undone(await newest())
  expect((await emojiOf()).map(({ name }) => name)).toEqual(['ours'])
  for (const fileId of fileIds) expect(await storage.read(storageKeyOf(fileId), 1)).toBeUndefined()
  expect(await db.selectFrom('users').select('id').where('username', '=', 'mia').execute()).toEqual([])
})

async function readReactions() {
  const message = await db
    .selectFrom('messages')
    .select('reactions')
    .where('content', '=', 'a :fiesta:')
    .executeTakeFirstOrThrow()
  const rows = (message.reactions as { emoji: string; count: number }[])
    .map(({ emoji, count }) => ({ emoji, count }))
    .sort((one, other) => (one.emoji < other.emoji ? -1 : 1))
  return { rows }
}

test('an alias that is given in the meantime is left out, and the emoji comes', async () => {
  const { id: importId } = await uploaded(await withExtras([emojiLine('party', ['soiree', 'ball'])]))
  await addEmoji(olga, 'quick', PICTURE, ['soiree'])
  await olga.post(`/api/imports/${importId}/start`)
  await until('done')
  expect((await emojiOf()).find(({ name }) => name === 'party')?.aliases).toEqual(['ball'])
  expect((await emojiOf()).find(({ name }) => name === 'quick')?.aliases).toEqual(['soiree'])
})

test('an emoji whose picture is broken takes no name from another one', async () => {
  const { plan } = await imported({
    'users.json': '[{"id":"U1","name":"mia"}]',
    'channels.json': '[]',
    'emojis/bad.png': 'no picture',
    'emojis/good.png': Buffer.from(PICTURE),
    'index.json': '{"bad":"https://emoji.example/bad.png","good":"alias:bad"}',
  })
  expect(plan).toMatchObject({ emoji: 1, omitted: [{ omission: 'refusedEmoji', examples: [':bad:'] }] })
  expect((await emojiOf()).map(({ name }) => name)).toContain('good')
})

test('the same emoji imported twice exist once', async () => {
  const files = await withExtras([emojiLine('party')])
  const first = await imported(files)
  await olga.post(`/api/imports/${first.id}/accept`)
  const { plan } = await uploaded(files)
  expect(plan?.omitted).toEqual([{ omission: 'takenEmoji', count: 1, examples: [':party:'] }])
  expect((await emojiOf()).filter(({ name }) => name === 'party')).toHaveLength(1)
})

test('pins stay pinned, by whoever pinned them, and only members see them', async () => {
  const pins = (by: string | null) => ({ pinnedAt: at(50), pinnedBy: by })
  const files = {
    ...contents(),
    'data/channels.jsonl': lines(room(12, 'private', 'vault', ['p3', 'p2'])),
    [`data/messages/${id(12)}.jsonl`]: lines(
      said(1201, 12, 'p3', 'pinned', pins('p2')),
      said(1202, 12, 'p3', 'pinned by nobody known', pins(null)),
      said(1203, 12, 'p3', 'deleted', { ...pins('p2'), content: '', deletedAt: at(55) }),
      said(1204, 12, 'p3', 'a reply', { ...pins('p2'), threadId: id(1201) }),
    ),
  }
  const { plan } = await imported(files)
  expect(plan).toMatchObject({ pins: 3, omitted: [] })
  const vault = await db.selectFrom('channels').select('id').where('name', '=', 'vault').executeTakeFirstOrThrow()
  await db
    .insertInto('memberships')
    .values({ channelId: vault.id, userId: ada.id, lastReadSeq: 0, readVersion: 0 })
    .execute()
  const { body } = await ada.get(`/api/channels/${vault.id}/pins`)
  const shown = body.map((it: { content: string; pin: { at: string; by: { username: string } } }) =>
    [it.content, it.pin.at, it.pin.by.username].join(', '),
  )
  expect(shown.sort()).toEqual([
    `a reply, ${at(50)}, bob`,
    `pinned by nobody known, ${at(50)}, mia`,
    `pinned, ${at(50)}, bob`,
  ])
  expect((await eve.get(`/api/channels/${vault.id}/pins`)).status).toBe(404)
})

test('a channel keeps a hundred pins, and the report counts the others', async () => {
  const many = Array.from({ length: limits.pins + 3 }, (_, n) =>
    said(2000 + n, 13, 'p3', `pin ${n}`, { pinnedAt: at(1), pinnedBy: 'p3', createdAt: at(0) }),
  )
  const { plan } = await imported({
    ...contents(),
    'data/channels.jsonl': lines(room(13, 'public', 'pins', ['p3'])),
    [`data/messages/${id(13)}.jsonl`]: lines(...many),
  })
  expect(plan?.omitted).toContainEqual({ omission: 'pins', count: 3, examples: ['pins'] })
  const pins = await channelOf(olga, 'pins')
  const { body } = await olga.get(`/api/channels/${pins?.id}/pins`)
  expect(body).toHaveLength(limits.pins)
})

test('an archived channel is archived here, too', async () => {
  const { plan } = await imported({
    ...contents(),
    'data/channels.jsonl': lines({ ...room(14, 'public', 'old', ['p3']), archivedAt: at(30) }),
    [`data/messages/${id(14)}.jsonl`]: lines(said(1401, 14, 'p3', 'the last word')),
  })
  expect(plan).toMatchObject({ archived: 1, channels: { public: 1 } })
  const old = await channelOf(olga, 'old')
  expect(old).toMatchObject({ archivedAt: at(30) })
  expect(await messagesOf(olga, old?.id)).toMatchObject([{ content: 'the last word' }])
  expect(await olga.post(`/api/channels/${old?.id}/join`)).toMatchObject({ status: 409, code: 'archived' })
})

test('the texts before edits come with names of here, unless the workspace keeps none', async () => {
  const earlier = [
    { content: 'was #board, @bob', writtenAt: at(1) },
    { content: 'x'.repeat(limits.messageContent + 5), writtenAt: at(2) },
  ]
  const files = {
    ...contents(),
    'data/channels.jsonl': lines(room(15, 'public', 'sketches', ['p3']), room(16, 'private', 'board', ['p3'])),
    [`data/messages/${id(15)}.jsonl`]: lines(said(1501, 15, 'p3', 'is', { editedAt: at(59), earlier })),
    [`data/messages/${id(16)}.jsonl`]: '',
  }
  await imported(files)
  const versionsOf = async () => {
    const sketches = await channelOf(olga, 'sketches')
    const [{ id: messageId }] = await messagesOf(olga, sketches?.id)
    return db.selectFrom('message_versions').selectAll().where('messageId', '=', messageId).orderBy('number').execute()
  }
  const [first, second, ...more] = await versionsOf()
  // A private channel is not named in a public one.
  expect(first).toMatchObject({ number: 1, content: 'was #board, @bob', writtenAt: at(1) })
  expect(second?.content).toHaveLength(limits.messageContent)
  expect(more).toEqual([])
  await closeOpen()
  await db.updateTable('workspace').set({ keepsVersions: false }).execute()
  await imported(files)
  expect(await versionsOf()).toEqual([])
  await db.updateTable('workspace').set({ keepsVersions: true }).execute()
})

test('of many texts before edits, the first and the latest stay, and long ones cost little', async () => {
  const link = `[there](/channels/${id(18)}?message=${id(9999)})`
  const many = Array.from({ length: 60 }, (_, n) => ({ content: `text ${n}`, writtenAt: at(n) }))
  const long = Array.from({ length: 5 }, (_, n) => ({ content: `${link} ${'x'.repeat(38_000)}`, writtenAt: at(n) }))
  await imported({
    ...contents(),
    'data/channels.jsonl': lines(room(18, 'public', 'edits', ['p3'])),
    [`data/messages/${id(18)}.jsonl`]: lines(
      said(1801, 18, 'p3', 'many', { editedAt: at(59), earlier: many }),
      said(1802, 18, 'p3', 'long', { editedAt: at(59), earlier: long }),
    ),
  })
  const edits = await channelOf(olga, 'edits')
  const [first, second] = await messagesOf(olga, edits?.id)
  const versions = await db
    .selectFrom('message_versions')
    .select(['messageId', 'number', 'content'])
    .where('messageId', 'in', [first.id, second.id])
    .orderBy('number')
    .execute()
  const texts = versions.filter(({ messageId }) => messageId === first.id).map(({ content }) => content)
  expect([texts.length, texts[0], texts[1], texts.at(-1)]).toEqual([50, 'text 0', 'text 11', 'text 59'])
  expect(versions.filter(({ messageId }) => messageId === second.id)).toHaveLength(5)
  const item = db.selectFrom('import_items').select('pending').where('id', '=', second.id)
  expect(await item.executeTakeFirst()).toEqual({ pending: null })
})

test('a quote leads to the imported message and is not searched', async () => {
  const place = `/channels/${id(17)}?message=${id(1702)}`
  await imported({
    ...contents(),
    'data/channels.jsonl': lines(room(17, 'public', 'quotes', ['p3'])),
    [`data/messages/${id(17)}.jsonl`]: lines(
      said(1701, 17, 'p3', `[zebra label](${place}#quote)\n\nlook`),
      said(1702, 17, 'p3', 'the quoted one'),
    ),
  })
  const quotes = await channelOf(olga, 'quotes')
  const [first, second] = await messagesOf(olga, quotes?.id)
  expect(first.content).toBe(`[zebra label](/channels/${quotes?.id}?message=${second.id}#quote)\n\nlook`)
  const { body } = await olga.get('/api/search?q=zebra')
  expect(body).toEqual([])
})
