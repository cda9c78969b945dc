import { beforeAll, expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { root, ada, bob, cyd, eve } = await parley.people('root', 'ada', 'bob', 'cyd', 'eve')
let general: Channel

beforeAll(async () => {
  general = (await ada.get('/api/channels')).body.channels[0]
})

let made = 0
/** A channel of Ada's with Bob in it. */
async function newChannel(isPrivate = true): Promise<Channel> {
  const { body } = await ada.post('/api/channels', { name: `members-${made++}`, isPrivate, members: [bob.id] })
  expect((await eve.get(`/api/channels/${body.id}`)).status).toBe(isPrivate ? 404 : 200)
  return body
}

const namesIn = async (person: Person, { id }: Channel, query = '') =>
  (await person.get(`/api/channels/${id}/members?${query}`)).body.members.map((it: Person) => it.username)

test('a new channel has the members it was created with, who receive it at once with nothing unread', async () => {
  const bobs = await bob.listen()
  const eves = await eve.listen()
  const { body: channel } = await ada.post('/api/channels', {
    name: 'beginners',
    isPrivate: true,
    members: [bob.id, ada.id, bob.id],
  })
  expect(channel).toMatchObject({ _count: { members: 2 }, isMember: true, unread: 0, mentions: 0, muted: false })
  expect((await bobs.waitFor('channel:created')).memberIds).toEqual([ada.id, bob.id])
  await ada.say(channel.id, 'hello')
  await bobs.waitFor('message:created', ({ content }) => content === 'hello')
  expect((await bob.get(`/api/channels/${channel.id}`)).body).toMatchObject({ isMember: true, unread: 1 })
  await ada.post('/api/channels', { name: 'after-beginners' })
  await eves.waitFor('channel:created', ({ name }) => name === 'after-beginners')
  expect(JSON.stringify(eves.events)).not.toContain(channel.id)
})

test('a new channel with unknown or too many members is refused', async () => {
  const create = (members: unknown) => ada.post('/api/channels', { name: 'nobodies', members })
  expect(await create([bob.id, 'nobody'])).toMatchObject({ status: 404, code: 'not_found' })
  for (const members of [Array.from({ length: 101 }, (_, n) => `${n}`), 'all', [7], [''], { 0: bob.id }])
    expect(await create(members)).toMatchObject({ status: 400, code: 'invalid' })
  expect((await create([bob.id])).status).toBe(201)
})

test('any member invites to private and public channels, and invitees receive events from then on', async () => {
  for (const isPrivate of [true, false]) {
    const channel = await newChannel(isPrivate)
    await ada.say(channel.id, 'before')
    const listener = await cyd.listen()
    const invited = await bob.post(`/api/channels/${channel.id}/invite`, { userId: cyd.id })
    expect(invited).toMatchObject({ status: 200, body: { id: channel.id, _count: { members: 3 } } })
    expect(await listener.waitFor('channel:member_joined', (it) => it.channelId === channel.id)).toEqual({
      channelId: channel.id,
      rev: invited.body.rev,
      memberCount: 3,
      user: { id: cyd.id, username: 'cyd', name: 'Cyd' },
    })
    await ada.say(channel.id, 'welcome')
    await listener.waitFor('message:created', ({ content }) => content === 'welcome')
    // Messages from before they joined are not unread.
    expect((await cyd.get(`/api/channels/${channel.id}`)).body).toMatchObject({ seq: 2, unread: 1, lastReadSeq: 1 })
  }
})

test('an invalid invitation is refused', async () => {
  const channel = await newChannel()
  const invite = (person: Person, userId: unknown) => person.post(`/api/channels/${channel.id}/invite`, { userId })
  expect(await invite(ada, bob.id)).toMatchObject({ status: 400, code: 'already_member' })
  expect(await invite(ada, ada.id)).toMatchObject({ status: 400, code: 'already_member' })
  expect(await invite(ada, 'nobody')).toMatchObject({ status: 404, code: 'not_found' })
  expect(await invite(eve, eve.id)).toMatchObject({ status: 404, code: 'not_found' })
  // Not even the workspace's owner may read private channels.
  expect(await invite(root, root.id)).toMatchObject({ status: 404, code: 'not_found' })
  for (const userId of [undefined, 7, '', { $ne: '' }, [cyd.id]])
    expect(await invite(ada, userId)).toMatchObject({ status: 400, code: 'invalid' })
})

test('the owner removes members, who are notified and receive nothing more', async () => {
  const channel = await newChannel()
  const [adas, bobs] = [await ada.listen(), await bob.listen()]
  const removed = await ada.post(`/api/channels/${channel.id}/remove-member`, { userId: bob.id })
  expect(removed).toMatchObject({ status: 200, body: { _count: { members: 1 } } })
  expect(await adas.waitFor('channel:member_left')).toEqual({
    channelId: channel.id,
    rev: removed.body.rev,
    userId: bob.id,
    memberCount: 1,
  })
  expect(await bobs.waitFor('channel:left')).toEqual({ channelId: channel.id })
  expect(bobs.all('channel:member_left')).toEqual([])
  expect((await bob.get('/api/channels')).body.channels.map(({ id }: Channel) => id)).not.toContain(channel.id)
})

test('only the owner removes members, never from #general, and never non-members', async () => {
  const channel = await newChannel()
  const remove = (person: Person, userId: string, from = channel) =>
    person.post(`/api/channels/${from.id}/remove-member`, { userId })
  expect(await remove(bob, ada.id)).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await remove(bob, bob.id)).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await remove(ada, ada.id)).toMatchObject({ status: 400, code: 'invalid' })
  expect(await remove(ada, eve.id)).toMatchObject({ status: 404, code: 'not_found' })
  expect(await remove(eve, bob.id)).toMatchObject({ status: 404, code: 'not_found' })
  expect(await remove(root, bob.id, general)).toMatchObject({ status: 403, code: 'forbidden' })
})

test('a member can leave, the owner cannot, and nobody leaves #general', async () => {
  const channel = await newChannel(false)
  const [adas, bobs, eves] = await Promise.all([ada, bob, eve].map((person) => person.listen()))
  expect(await ada.post(`/api/channels/${channel.id}/leave`)).toMatchObject({ status: 400, code: 'owner_cannot_leave' })
  expect((await bob.post(`/api/channels/${channel.id}/leave`)).status).toBe(204)
  await bobs?.waitFor('channel:left', ({ channelId }) => channelId === channel.id)
  for (const listener of [adas, eves])
    expect(await listener?.waitFor('channel:member_left', ({ channelId }) => channelId === channel.id)).toMatchObject({
      userId: bob.id,
      memberCount: 1,
    })
  expect(await bob.post(`/api/channels/${channel.id}/leave`)).toMatchObject({ status: 403, code: 'not_a_member' })
  for (const person of [root, bob])
    expect(await person.post(`/api/channels/${general.id}/leave`)).toMatchObject({
      status: 400,
      code: 'everyone_stays',
    })
})

test('the list of members is sorted by username, paginated, and searchable by a part of a name', async () => {
  const { body: channel } = await ada.post('/api/channels', {
    name: 'listed',
    isPrivate: true,
    members: [bob.id, cyd.id],
  })
  expect(await namesIn(bob, channel)).toEqual(['ada', 'bob', 'cyd'])
  expect(await namesIn(bob, channel, 'query=B')).toEqual(['bob'])
  await cyd.patch('/api/users/me', { name: 'Cydney Ó Brien' })
  expect(await namesIn(bob, channel, 'query=brien')).toEqual(['cyd'])
  await cyd.patch('/api/users/me', { name: 'Cyd' })
  for (const query of ['query=%25', 'query=_', 'query=%5C']) expect(await namesIn(bob, channel, query)).toEqual([])
  const { body } = await bob.get(`/api/channels/${channel.id}/members?page=2&limit=2`)
  expect(body).toEqual({
    members: [
      {
        id: cyd.id,
        username: 'cyd',
        name: 'Cyd',
        color: expect.any(Number),
        status: 'online',
        user_status: '😊',
        avatarUrl: null,
        deactivatedAt: null,
      },
    ],
    pagination: { page: 2, limit: 2, hasMore: false },
  })
  expect(await eve.get(`/api/channels/${channel.id}/members`)).toMatchObject({ status: 404, code: 'not_found' })
  for (const query of ['page=0', 'limit=101', 'limit=abc', 'page=-1', 'page=1e9', `query=${'x'.repeat(101)}`])
    expect((await bob.get(`/api/channels/${channel.id}/members?${query}`)).status).toBe(400)
})
