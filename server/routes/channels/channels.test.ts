import pg from 'pg'
import { expect, test, vi } from 'vitest'
import type { Channel } from '#contract/channels'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')

const listed = async (person: Person): Promise<Channel[]> => (await person.get('/api/channels?limit=100')).body.channels

test('everyone is in #general, which belongs to the first person', async () => {
  const [general] = (await listed(eve)).filter(({ name }) => name === 'general')
  expect(general).toMatchObject({ isPrivate: false, isMember: true, ownerId: ada.id, _count: { members: 3 } })
})

test('a new public channel appears to everyone at once, with nobody but its owner in it', async () => {
  const listener = await eve.listen()
  const made = await ada.post('/api/channels', { name: '  launch ' })
  expect(made.status).toBe(201)
  expect(made.body).toMatchObject({
    name: 'launch',
    isPrivate: false,
    ownerId: ada.id,
    isMember: true,
    _count: { members: 1 },
  })
  expect(await listener.waitFor('channel:created', ({ id }) => id === made.body.id)).toMatchObject({ name: 'launch' })
  expect((await listed(eve)).find(({ id }) => id === made.body.id)).toMatchObject({ isMember: false })
})

test('a private channel is visible to its owner alone: in lists, by id, over sockets, and by name', async () => {
  const theirs = await eve.listen()
  const own = await ada.listen()
  const { body: channel } = await ada.post('/api/channels', { name: 'founders', isPrivate: true })
  expect(channel.isPrivate).toBe(true)
  await own.waitFor('channel:created', ({ id }) => id === channel.id)
  expect((await listed(ada)).map(({ id }) => id)).toContain(channel.id)
  expect((await listed(eve)).map(({ id }) => id)).not.toContain(channel.id)
  expect(await eve.get(`/api/channels/${channel.id}`)).toMatchObject({ status: 404, code: 'not_found' })
  expect(await eve.post(`/api/channels/${channel.id}/join`)).toMatchObject({ status: 404, code: 'not_found' })
  theirs.socket.emit('channel:join', channel.id)
  expect(await theirs.waitFor('channel:error')).toEqual({ error: 'Channel not found' })
  expect(JSON.stringify(theirs.events)).not.toMatch(/founders/)
})

test('joining a public channel publishes the new count to everyone and subscribes the user’s socket', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'reading' })
  const others = await eve.listen()
  const own = await bob.listen()
  const joined = await bob.post(`/api/channels/${channel.id}/join`)
  expect(joined.body).toMatchObject({ isMember: true, _count: { members: 2 }, rev: channel.rev + 1 })
  expect(await others.waitFor('channel:member_joined', ({ channelId }) => channelId === channel.id)).toEqual({
    channelId: channel.id,
    rev: channel.rev + 1,
    memberCount: 2,
    user: { id: bob.id, username: 'bob', name: 'Bob' },
  })
  await ada.say(channel.id, 'welcome')
  await own.waitFor('message:created', ({ channelId }) => channelId === channel.id)
  expect(others.all('message:created').filter(({ channelId }) => channelId === channel.id)).toEqual([])
  expect(await bob.post(`/api/channels/${channel.id}/join`)).toMatchObject({ status: 400, code: 'already_member' })
})

test('two concurrent joins create one membership', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'doors' })
  const answers = await Promise.all([1, 2, 3].map(() => bob.post(`/api/channels/${channel.id}/join`)))
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  expect((await ada.get(`/api/channels/${channel.id}`)).body._count.members).toBe(2)
})

test('a viewer of a public channel receives its events until they leave the view', async () => {
  const { body: channel } = await ada.post('/api/channels', { name: 'gallery' })
  const visitor = await eve.listen()
  visitor.socket.emit('channel:join', channel.id)
  expect(await visitor.waitFor('channel:joined')).toEqual({ channelId: channel.id, rev: channel.rev })
  await ada.say(channel.id, 'seen')
  await visitor.waitFor('message:created', ({ content }) => content === 'seen')
  visitor.socket.emit('channel:leave', channel.id)
  expect(await visitor.waitFor('channel:left')).toEqual({ channelId: channel.id })
  await ada.say(channel.id, 'not seen')
  await ada.post('/api/channels', { name: 'after-gallery' })
  await visitor.waitFor('channel:created', ({ name }) => name === 'after-gallery')
  expect(visitor.all('message:created').map(({ content }) => content)).toEqual(['seen'])
})

test('an invalid channel id is refused over the socket', async () => {
  const { socket, waitFor } = await eve.listen()
  socket.emit('channel:join', { $ne: null })
  expect(await waitFor('channel:error')).toEqual({ error: 'Channel not found' })
})

test.each([
  '',
  '   ',
  '#launch',
  'public-files',
  'Public-Files',
  'dm-ada-bob',
  'DM-x',
  'a\u200bb',
  'a\nb',
  'a\u202eb',
  '\u3164',
  '\u2800',
  'a\ufe0f',
  'a\u034fb',
  'x'.repeat(81),
  // Look-alikes of a reserved name: capitals, spaces, dashes, accents, letters of other scripts.
  ' PUBLIC-FILES ',
  'public files',
  'public\u2011files',
  'pub1ic-fi1es',
  'рublic-files',
  'ｐｕｂｌｉｃ-files',
  'públic-files',
  'dm\u2010ada-bob',
  'dm – ada',
  'ԁm-ada-bob',
  'DМ-ada-bob',
  'd m-ada',
  'ｄｍ－ada',
  '𝐝𝐦-ada',
])('the name %j is refused', async (name) => {
  const refused = await ada.post('/api/channels', { name })
  expect(refused).toMatchObject({ status: 400, code: 'invalid' })
  expect(refused.body.error.fields).toHaveProperty('name')
})

test('a name is taken regardless of case and Unicode normalization', async () => {
  await ada.post('/api/channels', { name: 'Café' })
  for (const name of ['café', 'CAFÉ', 'Cafe\u0301']) {
    expect(await bob.post('/api/channels', { name })).toMatchObject({ status: 409, code: 'name_taken' })
  }
})

test('the list is paginated', async () => {
  const all = await listed(ada)
  const paged: Channel[] = []
  for (let page = 1; ; page++) {
    const { body } = await ada.get(`/api/channels?page=${page}&limit=3`)
    expect(body.pagination).toMatchObject({ page, limit: 3 })
    paged.push(...body.channels)
    if (!body.pagination.hasMore) break
  }
  expect(paged).toEqual(all)
})

test.each(['dmitri', 'admin-dm', 'public', 'files', 'public-relations', 'dm', 'मराठी', '開発', 'café ☕', '❤️ hearts'])(
  'the name %j, which only starts or ends like a reserved one, is allowed',
  async (name) => {
    expect((await bob.post('/api/channels', { name })).body).toMatchObject({ name })
  },
)

test('listing channels takes a constant number of queries', async () => {
  const zoe = await parley.person('zoe')
  const query = vi.spyOn(pg.Client.prototype, 'query')
  const queriesFor = async (size: number) => {
    query.mockClear()
    const { body } = await zoe.get('/api/channels?limit=100')
    expect(body.channels.length + body.directMessages.length).toBeGreaterThanOrEqual(size)
    return query.mock.calls
      .map(([statement]) => JSON.stringify(statement))
      .filter((it) => /memberships|channels/.test(it)).length
  }
  await zoe.post('/api/direct-messages', { userIds: [ada.id] })
  const few = await queriesFor(1)
  for (let n = 0; n < 20; n++) await zoe.post('/api/channels', { name: `many-${n}`, members: [ada.id, bob.id] })
  for (const person of [bob, eve]) await zoe.post('/api/direct-messages', { userIds: [person.id] })
  // Background work of their creation may still be running during the first of these.
  const many = Math.min(await queriesFor(20), await queriesFor(20), await queriesFor(20))
  query.mockRestore()
  expect(many).toBeLessThanOrEqual(few + 2)
  expect(many).toBeLessThan(8)
})
