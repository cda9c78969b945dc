import { expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import type { Message } from '#contract/messages'
import type { Profile } from '#contract/users'
import { listen, type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')

let made = 0
const somebody = () => parley.person(`somebody-${made++}`)

const deactivate = (by: Person, { id }: { id: string }) => by.put(`/api/users/${id}/deactivation`, {})
const reactivate = (by: Person, { id }: { id: string }) => by.delete(`/api/users/${id}/deactivation`)
const setRole = (role: string, { id }: Person) =>
  parley.app.db.updateTable('users').set({ role }).where('id', '=', id).execute()
const isActive = async ({ id }: Person) => (await bob.get(`/api/users/${id}`)).body.deactivatedAt === null
const signIn = async ({ email, password }: Person) => {
  const answer = await parley.app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    payload: { email, password },
    headers: { origin: 'http://localhost' },
  })
  return { status: answer.statusCode, cookies: answer.cookies }
}
const newChannel = async (owner: Person, members: Person[], isPrivate = false): Promise<Channel> =>
  (await owner.post('/api/channels', { name: `handed-${made++}`, isPrivate, members: members.map(({ id }) => id) }))
    .body

test('the owner and admins deactivate and reactivate users, members cannot', async () => {
  const [dan, admin, other] = [await somebody(), await somebody(), await somebody()]
  await setRole('admin', admin)
  await setRole('admin', other)
  for (const act of [deactivate, reactivate]) {
    expect(await act(eve, dan)).toMatchObject({ status: 403, code: 'forbidden' })
    expect(await act(dan, admin)).toMatchObject({ status: 403, code: 'forbidden' })
    expect(await act(admin, { id: 'nobody' })).toMatchObject({ status: 404, code: 'not_found' })
  }
  expect(await isActive(dan)).toBe(true)
  for (const by of [ada, admin]) {
    expect(await deactivate(by, dan)).toMatchObject({ status: 204, body: undefined })
    expect(await isActive(dan)).toBe(false)
    const { deactivatedAt } = (await bob.get(`/api/users/${dan.id}`)).body
    expect((await deactivate(by, dan)).status).toBe(204)
    expect((await bob.get(`/api/users/${dan.id}`)).body.deactivatedAt).toBe(deactivatedAt)
    expect((await reactivate(by, dan)).status).toBe(204)
    expect((await reactivate(by, dan)).status).toBe(204)
    expect(await isActive(dan)).toBe(true)
  }
  expect((await deactivate(admin, other)).status).toBe(204)
})

test('nobody can deactivate the owner of the workspace or themselves', async () => {
  const admin = await somebody()
  await setRole('admin', admin)
  for (const [by, whom] of [
    [admin, ada],
    [ada, ada],
    [admin, admin],
    [eve, eve],
  ] as const)
    expect(await deactivate(by, whom)).toMatchObject({ status: 403, code: 'forbidden' })
  expect(await Promise.all([ada, admin, eve].map(isActive))).toEqual([true, true, true])
})

test('deactivating ends token, sockets and sign-in within a second; reactivating allows sign-in', async () => {
  const dan = await somebody()
  const [phone, laptop] = [await dan.listen(), await dan.listen()]
  await deactivate(ada, dan)
  await expect.poll(() => dan.get('/api/channels')).toMatchObject({ status: 401, code: 'unauthenticated' })
  for (const { socket } of [phone, laptop]) await expect.poll(() => socket.connected).toBe(false)
  await expect(dan.listen()).rejects.toThrow('unauthenticated')
  const fresh = await parley.app.inject({ url: '/api/auth/token', headers: { cookie: dan.cookie } })
  expect(fresh.statusCode).toBe(401)
  expect((await signIn(dan)).status).toBe(403)
  await reactivate(ada, dan)
  expect((await dan.get('/api/channels')).status).toBe(401)
  const { status, cookies } = await signIn(dan)
  expect(status).toBe(200)
  const cookie = cookies.map((it) => `${it.name}=${encodeURIComponent(it.value)}`).join('; ')
  const { token } = (await parley.app.inject({ url: '/api/auth/token', headers: { cookie } })).json()
  expect((await listen(parley.address, token)).socket.connected).toBe(true)
})

test('a deactivated user is no longer listed but still resolved; messages and memberships stay', async () => {
  const dan = await somebody()
  const channel = await newChannel(ada, [dan])
  const sent: Message = await dan.say(channel.id, 'remember me')
  await dan.post(`/api/messages/${sent.id}/reactions`, { emoji: '👍' })
  await deactivate(ada, dan)
  const listed = async (query = '') => (await bob.get(`/api/users${query}`)).body.map(({ id }: Profile) => id)
  expect(await listed()).not.toContain(dan.id)
  expect(await listed(`?query=${dan.username}`)).toEqual([])
  expect((await bob.get(`/api/users/${dan.id}`)).body).toMatchObject({
    name: dan.name,
    deactivatedAt: expect.any(String),
  })
  expect((await ada.get(`/api/messages/channel/${channel.id}`)).body).toMatchObject([
    { content: 'remember me', user: { id: dan.id, name: dan.name }, reactions: { '👍': [{ id: dan.id }] } },
  ])
  const { members } = (await ada.get(`/api/channels/${channel.id}/members`)).body
  expect(members.find(({ id }: Profile) => id === dan.id).deactivatedAt).toEqual(expect.any(String))
  expect((await ada.get(`/api/channels/${channel.id}`)).body._count.members).toBe(2)
  await reactivate(ada, dan)
  expect(await listed()).toContain(dan.id)
})

test('the channels of a deactivated user go to the longest-standing active member, and viewers are notified', async () => {
  const [dan, gone, heir, late] = [await somebody(), await somebody(), await somebody(), await somebody()]
  const open = await newChannel(dan, [gone])
  const hidden = await newChannel(dan, [gone], true)
  const notTheirs = await newChannel(ada, [dan, heir])
  const deleted = await newChannel(dan, [heir])
  await dan.delete(`/api/channels/${deleted.id}`)
  for (const { id } of [open, hidden])
    for (const person of [heir, late]) await dan.post(`/api/channels/${id}/invite`, { userId: person.id })
  await deactivate(ada, gone)
  const [member, outsider] = [await late.listen(), await eve.listen()]
  const before = (await late.get(`/api/channels/${hidden.id}`)).body
  await deactivate(ada, dan)
  const event = await member.waitFor('channel:updated', ({ id }) => id === hidden.id)
  expect(event).toMatchObject({ ownerId: heir.id, rev: before.rev + 1, _count: { members: 4 } })
  expect(await outsider.waitFor('channel:updated', ({ id }) => id === open.id)).toMatchObject({ ownerId: heir.id })
  expect(outsider.all('channel:updated').map(({ id }) => id)).not.toContain(hidden.id)
  for (const { id } of [open, hidden]) expect((await heir.get(`/api/channels/${id}`)).body.ownerId).toBe(heir.id)
  expect((await heir.patch(`/api/channels/${hidden.id}`, { topic: 'mine now' })).status).toBe(200)
  expect((await heir.get(`/api/channels/${notTheirs.id}`)).body.ownerId).toBe(ada.id)
  await reactivate(ada, dan)
  expect((await heir.get(`/api/channels/${open.id}`)).body.ownerId).toBe(heir.id)
})

test('no new direct message starts with a deactivated user, but an existing one opens', async () => {
  const [dan, kim] = [await somebody(), await somebody()]
  const { body: direct } = await bob.post('/api/direct-messages', { userIds: [dan.id] })
  await dan.say(direct.id, 'until then')
  const channel = await newChannel(bob, [])
  await deactivate(ada, dan)
  const open = (...people: Person[]) => bob.post('/api/direct-messages', { userIds: people.map(({ id }) => id) })
  expect(await open(dan)).toMatchObject({ status: 200, body: { id: direct.id } })
  expect(await bob.post('/api/channels', { name: 'dm-x', isPrivate: true, members: [dan.id] })).toMatchObject({
    status: 200,
    body: { id: direct.id },
  })
  expect((await bob.get(`/api/messages/channel/${direct.id}`)).body).toMatchObject([{ content: 'until then' }])
  expect((await bob.get('/api/channels')).body.directMessages.map(({ id }: Channel) => id)).toContain(direct.id)
  expect(await eve.post('/api/direct-messages', { userIds: [dan.id] })).toMatchObject({ status: 404 })
  expect(await open(dan, kim)).toMatchObject({ status: 404, code: 'not_found' })
  expect(await bob.post(`/api/channels/${channel.id}/invite`, { userId: dan.id })).toMatchObject({ status: 404 })
  expect(await bob.post('/api/channels', { name: 'with-dan', members: [dan.id] })).toMatchObject({ status: 404 })
  await reactivate(ada, dan)
  expect((await open(dan, kim)).status).toBe(201)
})

test('everyone is notified that the directory changed', async () => {
  const dan = await somebody()
  const listener = await eve.listen()
  for (const act of [deactivate, reactivate]) {
    const { peopleVersion: before } = (await bob.get('/api/channels')).body
    await act(ada, dan)
    await listener.waitFor('user:updated', ({ id, peopleVersion }) => id === dan.id && peopleVersion > before)
  }
})

test('a rename concurrent with a deactivation fails neither', async () => {
  for (let round = 0; round < 10; round++) {
    const dan = await somebody()
    // Verify the token first: otherwise the result would depend on whether the session has ended.
    expect((await dan.get('/api/channels')).status).toBe(200)
    const [renamed, ended] = await Promise.all([
      dan.patch('/api/users/me', { username: `renamed-${round}` }),
      deactivate(ada, dan),
      bob.patch('/api/users/me', { name: `Bob ${round}` }),
    ])
    expect([renamed.status, ended.status]).toEqual([200, 204])
  }
})
