import { expect, test } from 'vitest'
import type { Group, GroupDetails } from '#contract/groups'
import { limits } from '#contract/limits'
import { listen, type Person, serve, startParley, untilPeers } from '../../test/support/parley.ts'

const parley = await startParley()
const { olga, ada, bob, eve } = await parley.people('olga', 'ada', 'bob', 'eve')

const make = async (username: string, people: Person[], groups: GroupDetails[] = []) => {
  const [userIds, groupIds] = [people.map(({ id }) => id), groups.map(({ id }) => id)]
  const { status, body } = await olga.post('/api/groups', { username, name: `The ${username}`, userIds, groupIds })
  expect(status).toBe(201)
  return body as GroupDetails
}
const channelOf = async (owner: Person, name: string, members: Person[]) =>
  (await owner.post('/api/channels', { name, isPrivate: true, members: members.map(({ id }) => id) })).body.id as string
const mentionsOf = async (person: Person, channelId: string) =>
  (await person.get(`/api/channels/${channelId}`)).body.mentions as number

test('people with the permission create, change and delete groups; others can read them', async () => {
  const group = await make('crew', [ada, bob])
  expect(group).toMatchObject({ username: 'crew', name: 'The crew', peopleCount: 2, isMine: false, groups: [] })
  expect(group.people.map(({ username }) => username)).toEqual(['ada', 'bob'])
  const [seen] = (await ada.get('/api/groups')).body as Group[]
  expect(seen).toEqual({
    id: group.id,
    username: 'crew',
    name: 'The crew',
    peopleCount: 2,
    isMine: true,
    isManaged: false,
  })
  const url = `/api/groups/${group.id}`
  expect((await olga.patch(url, { username: 'CREW-2', userIds: [bob.id] })).body).toMatchObject({
    username: 'crew-2',
    peopleCount: 1,
  })
  for (const [method, body] of [
    ['patch', { userIds: [eve.id] }],
    ['delete', undefined],
  ] as const)
    expect(await eve[method](url, body as never)).toMatchObject({ status: 403 })
  expect(await eve.post('/api/groups', { username: 'mine', name: 'Mine' })).toMatchObject({ status: 403 })
  await olga.patch('/api/workspace/permissions', { createGroups: ['owner', 'admin', 'member'] })
  expect(await eve.post('/api/groups', { username: 'mine', name: 'Mine' })).toMatchObject({ status: 201 })
  await olga.patch('/api/workspace/permissions', { createGroups: ['owner', 'admin'] })
  expect(await olga.delete(url)).toMatchObject({ status: 204 })
  expect(await olga.get(url)).toMatchObject({ status: 404 })
  const { entries } = (await olga.get('/api/audit?topic=people')).body
  const kinds = entries.map((it: { kind: string; details: { group?: string } }) => `${it.kind} ${it.details.group}`)
  for (const line of ['group_created crew', 'group_changed crew-2', 'group_deleted crew-2'])
    expect(kinds).toContain(line)
})

test('people and groups share one set of names', async () => {
  await make('design', [ada])
  for (const username of ['ada', 'DESIGN', 'design'])
    expect(await olga.post('/api/groups', { username, name: 'X' })).toMatchObject({
      status: 409,
      code: 'username_taken',
    })
  for (const username of ['channel', 'here', 'everyone', 'all', 'assistant-bot', 'ass1stant', 'a b', 'ab'])
    expect(await olga.post('/api/groups', { username, name: 'X' })).toMatchObject({ status: 400 })
  expect(await bob.patch('/api/users/me', { username: 'design' })).toMatchObject({
    status: 409,
    code: 'username_taken',
  })
  const signUp = await parley.app.inject({
    method: 'POST',
    url: '/api/auth/sign-up/email',
    payload: { email: 'd@example.com', password: 'correct horse', name: 'D', username: 'design' },
    headers: { origin: 'http://localhost' },
  })
  expect(signUp.statusCode).toBe(400)
  expect(signUp.json()).toMatchObject({ code: 'USERNAME_IS_ALREADY_TAKEN' })
  // Of two concurrent claims, one gets the name.
  const both = await Promise.all([
    bob.patch('/api/users/me', { username: 'contested' }),
    olga.post('/api/groups', { username: 'contested', name: 'X' }),
  ])
  expect(both.filter(({ status }) => status === 409)).toHaveLength(1)
  await bob.patch('/api/users/me', { username: 'bob' })
})

test('groups can be nested, but not in themselves, and not deeper than the limit', async () => {
  let outer = await make('level-0', [ada])
  const inner = outer
  for (let level = 1; level < limits.group.depth; level++) outer = await make(`level-${level}`, [bob], [outer])
  expect(outer).toMatchObject({ peopleCount: 2 })
  expect(await olga.post('/api/groups', { username: 'too-deep', name: 'X', groupIds: [outer.id] })).toMatchObject({
    status: 400,
  })
  for (const id of [inner.id, outer.id])
    expect(await olga.patch(`/api/groups/${inner.id}`, { groupIds: [id] })).toMatchObject({ status: 400 })
  const unknown = '0199a1de-0000-7000-8000-000000000000'
  for (const body of [{ userIds: ['nobody'] }, { groupIds: [unknown] }, { userIds: Array(501).fill(ada.id) }])
    expect(await olga.patch(`/api/groups/${inner.id}`, body)).toMatchObject({ status: 400 })
  // Of two changes that together would form a cycle, one is refused.
  const [left, right] = [await make('left', []), await make('right', [])]
  const changes = await Promise.all([
    olga.patch(`/api/groups/${left.id}`, { groupIds: [right.id] }),
    olga.patch(`/api/groups/${right.id}`, { groupIds: [left.id] }),
  ])
  expect(changes.map(({ status }) => status).sort()).toEqual([200, 400])
})

test('a mention of a group mentions its people in the channel as of sending', async () => {
  const group = await make('ops', [bob, eve], [await make('leads', [ada])])
  const channelId = await channelOf(olga, 'rollout', [ada, bob])
  const said = await olga.say(channelId, 'hey @ops, and @bob')
  expect(said.mentions).toEqual([
    { userId: group.id, username: 'ops', isGroup: true },
    { userId: bob.id, username: 'bob' },
  ])
  expect([
    await mentionsOf(ada, channelId),
    await mentionsOf(bob, channelId),
    await mentionsOf(olga, channelId),
  ]).toEqual([1, 1, 0])
  // People who join the group or the channel later are not mentioned, even after an edit.
  const cyd = await parley.person('cyd')
  await olga.patch(`/api/groups/${group.id}`, { userIds: [bob.id, eve.id, cyd.id] })
  for (const { id } of [eve, cyd]) await olga.post(`/api/channels/${channelId}/invite`, { userId: id })
  const edited = await olga.put(`/api/messages/${said.id}`, { content: 'hey @ops, please' })
  expect(edited.body.mentions).toEqual([{ userId: group.id, username: 'ops', isGroup: true }])
  expect([await mentionsOf(bob, channelId), await mentionsOf(ada, channelId)]).toEqual([1, 1])
  for (const late of [eve, cyd]) expect(await mentionsOf(late, channelId)).toBe(0)
  await olga.put(`/api/messages/${said.id}`, { content: 'never mind' })
  expect([await mentionsOf(bob, channelId), await mentionsOf(ada, channelId)]).toEqual([0, 0])
  await olga.say(channelId, '@ops again')
  for (const person of [ada, bob, cyd, eve]) expect(await mentionsOf(person, channelId)).toBe(1)
})

test('a mention of a group in a thread counts for its people who follow the thread', async () => {
  await make('reviewers', [ada, bob])
  const channelId = await channelOf(olga, 'reviews', [ada, bob])
  const parent = await ada.say(channelId, 'please look')
  await olga.post('/api/threads/messages', { parentMessageId: parent.id, content: '@reviewers?' })
  expect((await ada.get(`/api/threads/${parent.id}/cursor`)).body).toMatchObject({ isFollowing: true, mentions: 1 })
  expect((await bob.get(`/api/threads/${parent.id}/cursor`)).body).toMatchObject({ isFollowing: false })
  expect((await bob.get(`/api/channels/${channelId}`)).status).toBe(200)
})

test('a member can add a group to a channel; outsiders learn nothing', async () => {
  const group = await make('sales', [ada, bob, eve])
  const channelId = await channelOf(ada, 'deals', [bob])
  const url = `/api/channels/${channelId}/invite-group`
  expect(await eve.post(url, { groupId: group.id })).toMatchObject({ status: 404, code: 'not_found' })
  const heard = await bob.listen()
  expect(await bob.post(url, { groupId: group.id })).toMatchObject({ status: 200, body: { _count: { members: 3 } } })
  await heard.waitFor('channel:member_joined', ({ user }) => user.id === eve.id)
  expect(await bob.post(url, { groupId: group.id })).toMatchObject({ status: 200, body: { _count: { members: 3 } } })
  heard.socket.close()
})

test('a guest can neither see nor mention groups', async () => {
  const group = await make('secretive', [ada])
  const channelId = await channelOf(ada, 'with guests', [bob])
  const gil = await parley.person('gil')
  await parley.app.db
    .updateTable('users')
    .set({ role: 'guest', guestUntil: '2100-01-01' })
    .where('id', '=', gil.id)
    .execute()
  await ada.post(`/api/channels/${channelId}/invite`, { userId: gil.id })
  expect((await gil.get('/api/groups')).body).toEqual([])
  expect(await gil.get(`/api/groups/${group.id}`)).toMatchObject({ status: 404 })
  expect(await gil.post(`/api/channels/${channelId}/invite-group`, { groupId: group.id })).toMatchObject({
    status: 403,
  })
  expect((await gil.say(channelId, 'hi @secretive')).mentions).toEqual([])
  expect(await olga.patch(`/api/groups/${group.id}`, { userIds: [gil.id] })).toMatchObject({ status: 400 })
})

test('pages on all nodes are notified of changed groups', async () => {
  const other = await serve(parley.databaseUrl)
  await untilPeers(parley, other)
  const heard = [await bob.listen(), await listen(other.address, ada.token)]
  const group = await make('watched', [])
  for (const listener of heard) await listener.waitFor('groups:changed')
  await olga.patch(`/api/groups/${group.id}`, { userIds: [bob.id] })
  for (const listener of heard) await expect.poll(() => listener.all('groups:changed').length).toBeGreaterThan(1)
  for (const { socket } of heard) socket.close()
})
