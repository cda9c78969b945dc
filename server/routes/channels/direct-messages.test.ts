import { expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, cyd, eve } = await parley.people('ada', 'bob', 'cyd', 'eve')

const open = (person: Person, ...others: (Person | string)[]) =>
  person.post('/api/direct-messages', { userIds: others.map((it) => (typeof it === 'string' ? it : it.id)) })
const directOf = async (person: Person): Promise<Channel[]> => (await person.get('/api/channels')).body.directMessages

test('a group of people has one direct message, whoever opens it, in any order', async () => {
  const first = await open(ada, bob)
  expect(first).toMatchObject({
    status: 201,
    body: {
      kind: 'direct',
      name: 'dm-ada-bob',
      isPrivate: true,
      ownerId: null,
      _count: { members: 2 },
      isMember: true,
    },
  })
  for (const again of [await open(bob, ada), await open(ada, bob, bob, ada)])
    expect(again).toMatchObject({ status: 200, body: { id: first.body.id } })
  const three = await open(ada, bob, cyd)
  expect(three).toMatchObject({ status: 201, body: { name: 'dm-ada-bob-cyd' } })
  expect((await open(cyd, ada, bob)).body.id).toBe(three.body.id)
  expect(three.body.id).not.toBe(first.body.id)
})

test('a new direct message is published only to its members, named after the others', async () => {
  const [bobs, eves] = [await bob.listen(), await eve.listen()]
  const { body: direct } = await open(cyd, bob)
  const event = await bobs.waitFor('channel:created', ({ id }) => id === direct.id)
  expect(event.members.map(({ username }) => username)).toEqual(['bob', 'cyd'])
  await cyd.say(direct.id, 'just us')
  await bobs.waitFor('message:created', ({ content }) => content === 'just us')
  const [listed] = await directOf(bob)
  expect(listed).toMatchObject({ id: direct.id, unread: 1, lastMessageAt: expect.any(String) })
  expect(listed?.members.find(({ id }) => id === bob.id)).toMatchObject({ status: 'online', user_status: '😊' })
  expect(JSON.stringify(listed)).not.toContain('@example.com')
  await ada.post('/api/channels', { name: 'after-direct' })
  await eves.waitFor('channel:created', ({ name }) => name === 'after-direct')
  expect(JSON.stringify(eves.events)).not.toContain(direct.id)
  expect((await directOf(eve)).map(({ id }) => id)).not.toContain(direct.id)
})

test('creating a private channel called dm-… with one member opens the direct message', async () => {
  const { body: direct } = await open(ada, bob)
  const create = (more: object) => ada.post('/api/channels', { name: 'dm-whatever', isPrivate: true, ...more })
  expect(await create({ members: [bob.id] })).toMatchObject({
    status: 200,
    body: { id: direct.id, name: 'dm-ada-bob' },
  })
  expect(await create({ members: [ada.id, bob.id] })).toMatchObject({ status: 200, body: { id: direct.id } })
  for (const more of [{}, { members: [] }, { members: [ada.id] }, { members: [bob.id, cyd.id] }, { isPrivate: false }])
    expect(await create(more)).toMatchObject({
      status: 400,
      code: 'invalid',
      body: { error: { fields: { name: 'is reserved' } } },
    })
})

test('a direct message with only oneself, nobody, too many or unknown people is refused', async () => {
  for (const userIds of [[], [ada.id], 'bob', [7], [null], undefined])
    expect(await ada.post('/api/direct-messages', { userIds })).toMatchObject({ status: 400, code: 'invalid' })
  const eight = Array.from({ length: 8 }, (_, n) => `somebody-${n}`)
  expect(await open(ada, ...eight)).toMatchObject({ status: 400, code: 'invalid' })
  expect(await open(ada, bob, 'nobody')).toMatchObject({ status: 404, code: 'not_found' })
})

test('a direct message holds up to eight people', async () => {
  const others = Object.values(await parley.people(...Array.from({ length: 7 }, (_, n) => `guest-${n}`)))
  const made = await open(ada, ...others)
  expect(made).toMatchObject({ status: 201, body: { _count: { members: 8 } } })
  expect((await open(others[3] as Person, ada, ...others)).body.id).toBe(made.body.id)
})

test('outsiders cannot join, read or be invited to a direct message, and members cannot leave, rename or delete it', async () => {
  const { body: direct } = await open(ada, bob)
  const at = `/api/channels/${direct.id}`
  expect((await eve.post(`${at}/join`)).status).toBe(404)
  expect((await eve.get(`${at}/members`)).status).toBe(404)
  expect((await ada.post(`${at}/invite`, { userId: eve.id })).status).toBe(403)
  expect((await ada.post(`${at}/remove-member`, { userId: bob.id })).status).toBe(403)
  expect((await bob.post(`${at}/leave`)).status).toBe(403)
  expect((await ada.patch(at, { name: 'ours' })).status).toBe(403)
  expect((await ada.delete(at)).status).toBe(403)
  expect((await directOf(ada)).find(({ id }) => id === direct.id)?._count.members).toBe(2)
})

test('direct messages are paginated separately, newest first', async () => {
  const all = await directOf(ada)
  expect(all.length).toBeGreaterThan(2)
  expect(all.map(({ id }) => id)).toEqual(
    all
      .map(({ id }) => id)
      .toSorted()
      .toReversed(),
  )
  const paged: Channel[] = []
  for (let page = 1; ; page++) {
    const { body } = await ada.get(`/api/channels?page=${page}&limit=1`)
    paged.push(...body.directMessages)
    if (!body.pagination.hasMore) break
  }
  expect(paged).toEqual(all)
})

test('a direct message is identified by its people, not by the name it is created with', async () => {
  const { body: direct } = await open(bob, eve)
  await bob.patch('/api/users/me', { username: 'robert' })
  expect((await open(eve, bob)).body).toMatchObject({ id: direct.id })
  expect((await directOf(eve)).find(({ id }) => id === direct.id)?.members.map(({ username }) => username)).toEqual([
    'eve',
    'robert',
  ])
})
