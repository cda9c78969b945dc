import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Message } from '#contract/messages'
import { startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { app } = parley
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
let general: string
let secret: string

beforeAll(async () => {
  general = (await ada.get('/api/channels')).body.channels.find(
    (channel: { name: string }) => channel.name === 'general',
  ).id
  secret = (await ada.post('/api/channels', { name: 'secret', isPrivate: true })).body.id
})

test('a sent message is stored with its seq and delivered to others at once', async () => {
  const listener = await bob.listen()
  const sent = await ada.post('/api/messages', {
    channelId: general,
    content: '  hello  ',
    clientId: 'temp-1',
    userId: bob.id,
  })
  expect(sent.status).toBe(201)
  expect(sent.body).toMatchObject({
    channelId: general,
    content: 'hello',
    clientId: 'temp-1',
    userId: ada.id,
    user: { id: ada.id, username: 'ada', name: 'Ada' },
  })
  expect(await listener.waitFor('message:created', ({ id }) => id === sent.body.id)).toEqual(sent.body)
  expect((await bob.get(`/api/messages/channel/${general}`)).body).toContainEqual(sent.body)
})

test('seq numbers have no gaps, and a page names its revision', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'numbers' })
  const sent: Message[] = []
  for (let i = 1; i <= 5; i++) sent.push(await ada.say(channel.id, `message ${i}`))
  expect(sent.map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5])
  expect(sent.map(({ rev }) => rev)).toEqual([1, 2, 3, 4, 5].map((n) => n + channel.rev))
  const page = await ada.get(`/api/messages/channel/${channel.id}`)
  expect(page.body).toEqual(sent)
  expect(Number(page.headers['parley-rev'])).toBe(sent.at(-1)?.rev)
})

test('fifty simultaneous sends get fifty different seq numbers', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'rush' })
  const sent: Message[] = await Promise.all(Array.from({ length: 50 }, (_, i) => ada.say(channel.id, `rush ${i}`)))
  expect(sent.map(({ seq }) => seq).sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, i) => i + 1))
})

test('history is paginated backward by `before` and forward by `after`', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'history' })
  for (let i = 1; i <= 7; i++) await ada.say(channel.id, `message ${i}`)
  const page = async (query: string) =>
    (await ada.get(`/api/messages/channel/${channel.id}?${query}`)).body.map(({ seq }: Message) => seq)
  expect(await page('limit=3')).toEqual([5, 6, 7])
  expect(await page('limit=3&before=5')).toEqual([2, 3, 4])
  expect(await page('limit=3&before=2')).toEqual([1])
  expect(await page('limit=3&after=2')).toEqual([3, 4, 5])
  expect(await page('limit=3&after=7')).toEqual([])
})

test('a repeated key returns the same message, published once', async () => {
  const listener = await bob.listen()
  const body = { channelId: general, content: 'only once', clientId: 'temp-repeat' }
  const answers = await Promise.all([1, 2, 3].map(() => ada.post('/api/messages', body)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201])
  expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  await ada.say(general, 'after the repeats', 'temp-after')
  await listener.waitFor('message:created', ({ clientId }) => clientId === 'temp-after')
  expect(listener.all('message:created').filter(({ clientId }) => clientId === 'temp-repeat')).toHaveLength(1)
})

test('a key belongs to one author and one channel', async () => {
  await ada.say(general, 'mine', 'temp-own')
  expect(
    (await bob.post('/api/messages', { channelId: general, content: 'mine too', clientId: 'temp-own' })).status,
  ).toBe(201)
  const elsewhere = await ada.post('/api/messages', { channelId: secret, content: 'mine', clientId: 'temp-own' })
  expect(elsewhere).toMatchObject({ status: 409, code: 'client_id_reused' })
})

test.each([
  ['empty', ''],
  ['of invisible characters', '\u200b\u2060\n\ufeff'],
  ['blank', ' \n\t '],
  ['too long', 'x'.repeat(10_001)],
  ['with NUL', 'a\0b'],
  ['with half a character', 'a\ud800b'],
])('content that is %s is refused with an error for the field', async (_, content) => {
  const refused = await ada.post('/api/messages', { channelId: general, content })
  expect(refused).toMatchObject({ status: 400, code: 'invalid' })
  expect(refused.body.error.fields).toHaveProperty('content')
})

test('a malformed message is refused without being stored or causing a server error', async () => {
  for (const body of [
    {},
    { channelId: general },
    { channelId: 7, content: 'x' },
    { channelId: general, content: { $ne: '' } },
  ]) {
    expect(await ada.post('/api/messages', body)).toMatchObject({ status: 400, code: 'invalid' })
  }
  for (const query of ['limit=0', 'limit=101', 'before=x', 'before=-1', 'after=1.5']) {
    expect((await ada.get(`/api/messages/channel/${general}?${query}`)).status).toBe(400)
  }
  expect((await ada.get('/api/messages/channel/not-an-id')).status).toBe(400)
})

test('an outsider cannot read or write in a private channel, and receives none of its events', async () => {
  expect((await eve.get('/api/channels')).body.channels.map(({ id }: { id: string }) => id)).not.toContain(secret)
  const listener = await eve.listen()
  await ada.say(secret, 'the plan')
  expect(await eve.get(`/api/messages/channel/${secret}`)).toMatchObject({ status: 404, code: 'not_found' })
  expect(await eve.post('/api/messages', { channelId: secret, content: 'x' })).toMatchObject({
    status: 404,
    code: 'not_found',
  })
  await ada.say(general, 'not the plan')
  await listener.waitFor('message:created', ({ content }) => content === 'not the plan')
  expect(JSON.stringify(listener.events)).not.toContain('the plan"}')
  expect(listener.all('message:created').every(({ channelId }) => channelId !== secret)).toBe(true)
})

test('anyone can read a public channel, and members can write in it', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'open-house' })
  await ada.say(channel.id, 'come in')
  expect((await eve.get(`/api/messages/channel/${channel.id}`)).body).toHaveLength(1)
  expect(await eve.post('/api/messages', { channelId: channel.id, content: 'x' })).toMatchObject({
    status: 403,
    code: 'not_a_member',
  })
  expect((await eve.post(`/api/channels/${channel.id}/join`)).status).toBe(200)
  expect((await eve.post('/api/messages', { channelId: channel.id, content: 'thanks' })).status).toBe(201)
})

test('an upper-case id identifies the same channel: same queue, audience and response', async () => {
  const listener = await bob.listen()
  const sent = await ada.say(general.toUpperCase(), 'in capitals')
  expect(sent.channelId).toBe(general)
  await listener.waitFor('message:created', ({ id }) => id === sent.id)
  listener.socket.emit('channel:join', general.toUpperCase())
  expect((await listener.waitFor('channel:joined')).channelId).toBe(general)
})

test('an edit that is queued while its author is removed is refused', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'removal' })
  await bob.post(`/api/channels/${channel.id}/join`)
  const message = await bob.say(channel.id, 'mine')
  const { db, writer } = app
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  onTestFinished(() => release())
  // The removal comes before the edit in the channel's queue.
  const removal = writer.change(
    channel.id,
    async (tx) => {
      begin()
      await released
      await tx.deleteFrom('memberships').where('channelId', '=', channel.id).where('userId', '=', bob.id).execute()
    },
    () => {},
  )
  await begun
  const edit = bob.put(`/api/messages/${message.id}`, { content: 'still mine?' })
  // The poll's membership sync may be queued there as well.
  await expect.poll(writer.waiting).toBeGreaterThan(0)
  release()
  await removal
  expect(await edit).toMatchObject({ status: 404 })
  const { content } = await db
    .selectFrom('messages')
    .select('content')
    .where('id', '=', message.id)
    .executeTakeFirstOrThrow()
  expect(content).toBe('mine')
})

test('an edit based on outdated text is refused; a repeat of it is not', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'two-hands' })
  const parent: Message = await ada.say(channel.id, 'version 0')
  const reply = (await ada.post('/api/threads/messages', { parentMessageId: parent.id, content: 'version 0' })).body
  for (const path of [`/api/messages/${parent.id}`, `/api/threads/messages/${reply.id}`]) {
    const edit = (content: string, editedAt?: string | null) => ada.put(path, { content, editedAt })
    const first = await edit('version 1', null)
    expect(first).toMatchObject({ status: 200, body: { content: 'version 1' } })
    expect(await edit('version 2', null)).toMatchObject({ status: 409, body: { error: { code: 'edit_conflict' } } })
    // A reaction is not an edit. The request is repeated as if its response was lost.
    await bob.post(`/api/channels/${channel.id}/join`)
    const id = path.split('/').at(-1)
    await bob.post(`/api/messages/${id}/reactions`, { emoji: '🎉' })
    expect(await edit('version 1', null)).toMatchObject({ status: 200, body: { content: 'version 1' } })
    const now = await edit('version 3')
    expect(now.status).toBe(200)
    expect((await edit('version 4', first.body.editedAt)).status).toBe(409)
    expect(await edit('version 4', now.body.editedAt)).toMatchObject({ status: 200, body: { content: 'version 4' } })
  }
})

test('only one of two edits based on the same text succeeds', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'at-once' })
  const sent: Message = await ada.say(channel.id, 'version 0')
  const answers = await Promise.all(
    [1, 2, 3, 4].map((n) => ada.put(`/api/messages/${sent.id}`, { content: `version ${n}`, editedAt: null })),
  )
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
  const [stored] = (await ada.get(`/api/messages/channel/${channel.id}`)).body
  expect(stored.content).toBe(answers.find(({ status }) => status === 200)?.body.content)
})
