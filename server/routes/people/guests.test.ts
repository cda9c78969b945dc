import { sql } from 'kysely'
import { expect, test, vi } from 'vitest'
import { type Person, serve, startParley, untilPeers } from '../../test/support/parley.ts'

const parley = await startParley()
// Ada came first, so she owns the workspace.
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
const { body: project } = await ada.post('/api/channels', { name: 'project', members: [bob.id] })
const { body: other } = await ada.post('/api/channels', { name: 'other', members: [eve.id] })

let count = 0
async function guestOf(channelIds: string[], days = 30) {
  const { status, body } = await ada.post('/api/invites', { guests: { channelIds, days } })
  expect(status).toBe(201)
  return parley.person(`guest${count++}`, body.code)
}
const channelsOf = async (person: Person) =>
  (await person.get('/api/channels')).body.channels.map(({ name }: { name: string }) => name)
const endNow = ({ id }: Person) =>
  parley.app.db
    .updateTable('users')
    .set({ guestUntil: new Date(Date.now() - 1000).toISOString() })
    .where('id', '=', id)
    .execute()

test('a guest sees the channels of their invite, the people in them, and nothing else', async () => {
  const gil = await guestOf([project.id])
  expect(await channelsOf(gil)).toEqual(['project'])
  const { body: session } = await getSession(gil)
  expect(session.user).toMatchObject({ role: 'guest', may: ['post', 'upload'] })
  const { body: people } = await gil.get('/api/users')
  expect(people.map(({ username }: Person) => username)).toEqual(['ada', 'assistant-bot', 'bob', gil.username])
  expect((await gil.get(`/api/users/${eve.id}`)).status).toBe(404)
  expect((await gil.get(`/api/users/${bob.id}`)).body.email).toBeUndefined()
  await eve.say(other.id, 'quartz elsewhere')
  await ada.say(project.id, 'quartz here')
  await expect.poll(async () => (await gil.get('/api/search?q=quartz')).body.length).toBe(1)
  expect((await gil.get('/api/search?q=from:eve')).body).toEqual([])
  expect((await gil.post(`/api/channels/${other.id}/join`)).status).toBe(404)
  expect((await gil.get(`/api/messages/channel/${other.id}`)).status).toBe(404)
  expect((await gil.say(project.id, 'hello')).content).toBe('hello')
})

test('a guest can send direct messages only to people they share a channel with', async () => {
  const gil = await guestOf([project.id])
  expect((await gil.post('/api/direct-messages', { userIds: [eve.id] })).status).toBe(404)
  expect((await gil.post('/api/direct-messages', { userIds: [bob.id] })).status).toBe(201)
})

test('a guest removed from a channel does not rejoin it by signing in', async () => {
  const gil = await guestOf([project.id])
  await ada.post(`/api/channels/${project.id}/remove-member`, { userId: gil.id })
  const payload = { username: gil.username, password: gil.password }
  await parley.app.inject({ method: 'POST', url: '/api/auth/sign-in/username', payload })
  expect(await channelsOf(gil)).toEqual([])
  expect((await gil.get(`/api/messages/channel/${project.id}`)).status).toBe(404)
})

test('when their time ends, a guest reads nothing more, and is signed out on every node', async () => {
  const gil = await guestOf([project.id])
  const node = await serve(parley.databaseUrl)
  await untilPeers(parley, node)
  const here = await gil.listen()
  const { io } = await import('socket.io-client')
  const there = io(node.address, { auth: { token: gil.token } })
  await new Promise<void>((resolve) => there.once('ready', () => resolve()))
  await endNow(gil)
  // Immediately, regardless of background work.
  expect([404, 401]).toContain((await gil.get(`/api/messages/channel/${project.id}`)).status)
  await expect.poll(() => [here.socket.connected, there.connected]).toEqual([false, false])
  there.close()
  for (const app of [parley.app, node.app])
    expect(
      (await app.inject({ url: '/api/channels', headers: { authorization: `Bearer ${gil.token}` } })).statusCode,
    ).toBe(401)
  const payload = { username: gil.username, password: gil.password }
  const again = () => parley.app.inject({ method: 'POST', url: '/api/auth/sign-in/username', payload })
  expect((await again()).statusCode).toBe(403)
  // With more time they get access to the same channels again.
  expect((await bob.put(`/api/users/${gil.id}/guest-end`, { days: 3 })).status).toBe(403)
  expect((await ada.put(`/api/users/${gil.id}/guest-end`, { days: 3 })).status).toBe(204)
  expect((await again()).statusCode).toBe(200)
})

test('an invite for guests can include only channels of its creator', async () => {
  const { body: secret } = await bob.post('/api/channels', { name: 'secret', isPrivate: true })
  for (const channelId of [secret.id, '0199a1de-0000-7000-8000-000000000000'])
    expect((await ada.post('/api/invites', { guests: { channelIds: [channelId], days: 1 } })).status).toBe(404)
  expect((await ada.post('/api/invites', { guests: { channelIds: [], days: 1 } })).status).toBe(400)
})

test('a guest who becomes a member sees public channels and receives their events without signing in again', async () => {
  const gil = await guestOf([project.id])
  const hears = await gil.listen()
  expect((await ada.put(`/api/users/${gil.id}/role`, { role: 'member' })).status).toBe(204)
  await hears.waitFor('user:updated', ({ id }) => id === gil.id)
  expect(await channelsOf(gil)).toContain('other')
  await expect
    .poll(async () => {
      const { body } = await ada.post('/api/channels', { name: `new ${count++}` })
      return hears.all('channel:created').length > 0 || body.id === undefined
    })
    .toBe(true)
})

const getSession = async ({ cookie }: Person) => {
  const answer = await parley.app.inject({ url: '/api/auth/get-session', headers: { cookie } })
  return { body: answer.json() }
}

test('the time of guests ends by the database’s clock, whatever a node’s clock says', async () => {
  const gil = await guestOf([project.id])
  const payload = { username: gil.username, password: gil.password }
  const signIn = () => parley.app.inject({ method: 'POST', url: '/api/auth/sign-in/username', payload })
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    vi.setSystemTime(Date.now() + 31 * 24 * 3_600_000)
    expect((await signIn()).statusCode).toBe(200)
    vi.setSystemTime(Date.now() - 32 * 24 * 3_600_000)
    await parley.app.db
      .updateTable('users')
      .set({ guestUntil: sql<string>`clock_timestamp()` })
      .where('id', '=', gil.id)
      .execute()
    await expect
      .poll(async () => (await ada.get(`/api/users/${gil.id}`)).body.deactivatedAt)
      .toEqual(expect.any(String))
  } finally {
    vi.useRealTimers()
  }
})
