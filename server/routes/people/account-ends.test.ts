import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import { purgeOnce } from '../../channels/purge-channels.ts'
import { bumpPeopleVersion } from '../../people/deactivate.ts'
import { eraseAccount } from '../../people/erase-account.ts'
import { listen, type Person, serve, startParley, untilPeers } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
const { db } = parley.app
const other = await serve(parley.databaseUrl)
await untilPeers(parley, other)

const PATH = '/api/users/me/deletion'
const remove = (who: Person) => who.post(PATH, { username: who.username, password: who.password })
const removeAt = ({ app }: typeof other, who: Person) =>
  app.inject({
    method: 'POST',
    url: PATH,
    headers: { authorization: `Bearer ${who.token}` },
    payload: { username: who.username, password: who.password },
  })
let count = 0
const somebody = () => parley.person(`leaver-${count++}`)
const newChannel = async (owner: Person, members: Person[], isPrivate = false): Promise<Channel> =>
  (await owner.post('/api/channels', { name: `ends-${count++}`, isPrivate, members: members.map(({ id }) => id) })).body
const membershipsOf = ({ id }: Person) =>
  db
    .selectFrom('memberships')
    .innerJoin('channels', 'channels.id', 'memberships.channelId')
    .select('kind')
    .where('userId', '=', id)
    .where('deletedAt', 'is', null)
    .execute()

test('a deletion ends tokens and sockets on both nodes, and others there are notified', async () => {
  const dan = await somebody()
  const channel = await newChannel(ada, [dan, bob], true)
  const sockets = [await dan.listen(), await listen(other.address, dan.token)]
  const [bobs, eves] = [await listen(other.address, bob.token), await listen(other.address, eve.token)]
  expect((await remove(dan)).status).toBe(204)
  for (const { socket } of sockets) await expect.poll(() => socket.connected).toBe(false)
  await expect.poll(() => dan.get('/api/channels')).toMatchObject({ status: 401 })
  const there = () => other.app.inject({ url: '/api/channels', headers: { authorization: `Bearer ${dan.token}` } })
  await expect.poll(async () => (await there()).statusCode).toBe(401)
  await expect(dan.listen()).rejects.toThrow('unauthenticated')
  expect((await parley.app.inject({ url: '/api/auth/token', headers: { cookie: dan.cookie } })).statusCode).toBe(401)
  for (const listener of [bobs, eves])
    expect(await listener.waitFor('user:updated', ({ id }) => id === dan.id)).toMatchObject({ name: 'Deleted account' })
  await bobs.waitFor('channel:member_left', ({ channelId, userId }) => channelId === channel.id && userId === dan.id)
})

test('of two concurrent calls on two nodes, one deletes; a repeated call is unauthenticated', async () => {
  const dan = await somebody()
  const [here, there] = await Promise.all([remove(dan), removeAt(other, dan)])
  expect([here.status, there.statusCode].sort()).toEqual([204, 401])
  expect((await remove(dan)).status).toBe(401)
  expect((await removeAt(other, dan)).statusCode).toBe(401)
  const lines = await db
    .selectFrom('audit_log')
    .select('kind')
    .where('actorId', '=', dan.id)
    .where('kind', '=', 'account_deleted')
    .execute()
  expect(lines).toHaveLength(1)
})

test('of a concurrent deactivation and deletion, the first one wins', async () => {
  for (let round = 0; round < 5; round++) {
    const dan = await somebody()
    const [deleted, deactivated] = await Promise.all([remove(dan), ada.put(`/api/users/${dan.id}/deactivation`, {})])
    expect([
      [204, 404],
      [401, 204],
    ]).toContainEqual([deleted.status, deactivated.status])
    const { name } = (await bob.get(`/api/users/${dan.id}`)).body
    expect(name === 'Deleted account').toBe(deleted.status === 204)
  }
})

test('a person invited during the deletion is not a member in the end', async () => {
  for (let round = 0; round < 5; round++) {
    const dan = await somebody()
    const channel = await newChannel(ada, [], true)
    await Promise.all([remove(dan), ada.post(`/api/channels/${channel.id}/invite`, { userId: dan.id })])
    await expect.poll(() => membershipsOf(dan)).toEqual([])
  }
})

test('if a node dies after erasing the account, another one ends the memberships', async () => {
  const dan = await somebody()
  const channel = await newChannel(ada, [dan])
  const own = await newChannel(dan, [bob], true)
  const { body: pair } = await bob.post('/api/direct-messages', { userIds: [dan.id] })
  const { id } = await ada.say(channel.id, 'a thread')
  await dan.put(`/api/threads/${id}/follow`, {})
  await db.transaction().execute(async (tx) => {
    await bumpPeopleVersion(tx)
    await eraseAccount(tx, dan.id)
  })
  await expect.poll(async () => (await membershipsOf(dan)).map(({ kind }) => kind)).toEqual(['direct'])
  await expect.poll(async () => (await bob.get(`/api/channels/${own.id}`)).body.ownerId).toBe(bob.id)
  await expect.poll(async () => (await bob.get(`/api/channels/${pair.id}`)).body.archivedAt).not.toBeNull()
  const follows = () => db.selectFrom('thread_follows').select('threadId').where('userId', '=', dan.id).execute()
  await expect.poll(follows).toEqual([])
})

test('a guest can delete their account, and other guests of their channels are notified', async () => {
  const { body: room } = await ada.post('/api/channels', { name: `room-${count++}`, isPrivate: true })
  const { body: invite } = await ada.post('/api/invites', { guests: { channelIds: [room.id], days: 30 } })
  const gil = await parley.person('gil', invite.code)
  const gem = await parley.person('gem', invite.code)
  await gil.say(room.id, 'goodbye')
  const gems = await gem.listen()
  expect((await gil.get(PATH)).body).toEqual({ obstacle: null })
  expect((await remove(gil)).status).toBe(204)
  expect(await gems.waitFor('user:updated', ({ id }) => id === gil.id)).toMatchObject({ name: 'Deleted account' })
  await gems.waitFor('channel:member_left', ({ userId }) => userId === gil.id)
  expect((await gem.get(`/api/messages/channel/${room.id}`)).body).toMatchObject([
    { user: { name: 'Deleted account' } },
  ])
  expect((await ada.put(`/api/users/${gil.id}/guest-end`, { days: 3 })).status).toBe(404)
})

test('content under a hold is not deleted', async () => {
  const dan = await somebody()
  const own = await newChannel(dan, [], true)
  await dan.say(own.id, 'evidence')
  await ada.post('/api/holds', { userId: dan.id })
  expect((await remove(dan)).status).toBe(204)
  await expect.poll(() => membershipsOf(dan)).toEqual([])
  while (await purgeOnce(db, 0));
  const kept = db.selectFrom('messages').select('content').where('channelId', '=', own.id)
  expect(await kept.execute()).toEqual([{ content: 'evidence' }])
  await db.deleteFrom('holds').execute()
  await sql`update channels set "deletedAt" = now() - interval '1 day' where id = ${own.id}`.execute(db)
  while (await purgeOnce(db, 0));
  expect(await kept.execute()).toEqual([])
})
