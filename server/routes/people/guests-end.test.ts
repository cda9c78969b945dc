import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { transaction } from '../../test/support/open-transactions.ts'
import { type Person, startParley } from '../../test/support/parley.ts'
import { openDirectory } from '../../test/support/scim-directory.ts'

// The end of a guest's time, and the access given by their invite.

const parley = await startParley({}, undefined, { guestPollMs: 100 })
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
const { body: project } = await ada.post('/api/channels', { name: 'project', members: [bob.id] })

let count = 0
const inviteOf = async (by: Person, channelId: string) => {
  const { status, body } = await by.post('/api/invites', { guests: { channelIds: [channelId], days: 30 } })
  expect(status).toBe(201)
  return body.code as string
}
const guestOf = async (channelId: string) => parley.person(`guest${count++}`, await inviteOf(ada, channelId))
const signIn = ({ username, password }: Person) =>
  parley.app.inject({ method: 'POST', url: '/api/auth/sign-in/username', payload: { username, password } })
const setEnd = ({ id }: Person, interval: string) =>
  parley.app.db
    .updateTable('users')
    .set({ guestUntil: sql<string>`clock_timestamp() + ${interval}::interval` })
    .where('id', '=', id)
    .execute()
/** A socket that is connected when the person's time ends, however long a busy machine takes to connect it. */
async function listenBeforeEnd(person: Person) {
  for (let seconds = 2; ; seconds *= 2) {
    const earliestEnd = Date.now() + seconds * 1000
    await setEnd(person, `${seconds} seconds`)
    const listener = await person.listen()
    if (Date.now() < earliestEnd) return listener
    listener.socket.close()
  }
}
const isOut = async ({ id }: Person) => (await ada.get(`/api/users/${id}`)).body.deactivatedAt !== null
const channelsOf = async (person: Person) =>
  (await person.get('/api/channels')).body.channels.map(({ name }: { name: string }) => name)

test('a guest receives and reads nothing after their time, even before they are signed out', async () => {
  const gil = await guestOf(project.id)
  const { body: direct } = await bob.post('/api/direct-messages', { userIds: [gil.id] })
  // Signing out guests needs a lock on this row.
  const held = await transaction(parley.databaseUrl, ['select from workspace for no key update'])
  const hears = await listenBeforeEnd(gil)
  const gone = new Promise((resolve) => hears.socket.once('disconnect', resolve))
  await gone
  const again = await gil.listen()
  const { content } = await bob.say(project.id, 'zirconium')
  await bob.say(direct.id, 'zirconium')
  const bobs = await bob.listen()
  await bob.say(project.id, 'the end')
  await bobs.waitFor('message:created', (message) => message.content === 'the end')
  expect([...hears.all('message:created'), ...again.all('message:created')]).toEqual([])
  expect((await gil.get(`/api/search?q=${content}`)).body).toEqual([])
  expect((await gil.get('/api/channels')).body).toMatchObject({ channels: [], directMessages: [] })
  expect((await gil.get('/api/users')).body.map(({ id }: Person) => id)).not.toContain(bob.id)
  expect((await gil.get('/api/files')).body).toEqual([])
  await held.rollback()
  await expect.poll(() => isOut(gil)).toBe(true)
  for (const { socket } of [hears, again, bobs]) socket.close()
})

test('all guests of an invite are signed out together, and their channels get other owners', async () => {
  const code = await inviteOf(ada, project.id)
  const guests: Person[] = []
  for (let i = 0; i < 4; i++) guests.push(await parley.person(`guest${count++}`, code))
  await parley.app.db
    .updateTable('channels')
    .set({ ownerId: guests[0]?.id as string })
    .where('id', '=', project.id)
    .execute()
  await Promise.all(guests.map((guest) => setEnd(guest, '-1 second')))
  for (const guest of guests) await expect.poll(() => isOut(guest)).toBe(true)
  await expect.poll(async () => (await ada.get(`/api/channels/${project.id}`)).body.ownerId).toBe(ada.id)
})

test('a guest whose time has ended cannot be reactivated, but given more time', async () => {
  const gil = await guestOf(project.id)
  await setEnd(gil, '-1 second')
  await expect.poll(() => isOut(gil)).toBe(true)
  const refused = await ada.delete(`/api/users/${gil.id}/deactivation`)
  expect([refused.status, refused.body.error.reason]).toEqual([403, 'guestEnded'])
  const { patch } = await openDirectory(parley, ada)
  const answer = await patch(gil.id, { op: 'replace', path: 'active', value: true })
  expect([answer.status, answer.body.scimType]).toEqual([403, 'mutability'])
  expect(await isOut(gil)).toBe(true)
  expect((await ada.put(`/api/users/${gil.id}/guest-end`, { days: 3 })).status).toBe(204)
  expect((await signIn(gil)).statusCode).toBe(200)
})

test('a guest who becomes a member joins #general', async () => {
  const gil = await guestOf(project.id)
  await ada.put(`/api/users/${gil.id}/role`, { role: 'member' })
  const { generalId } = await parley.app.db.selectFrom('workspace').select('generalId').executeTakeFirstOrThrow()
  expect((await gil.get(`/api/channels/${generalId}`)).body.isMember).toBe(true)
})

test('an invite gives no access to a channel that its creator has left or been removed from', async () => {
  await ada.put(`/api/users/${bob.id}/role`, { role: 'admin' })
  const { body: secret } = await eve.post('/api/channels', { name: 'secret', isPrivate: true, members: [bob.id] })
  const code = await inviteOf(bob, secret.id)
  await eve.post(`/api/channels/${secret.id}/remove-member`, { userId: bob.id })
  const gil = await parley.person(`guest${count++}`, code)
  expect(await channelsOf(gil)).toEqual([])
  expect((await gil.get(`/api/messages/channel/${secret.id}`)).status).toBe(404)
})

test('a guest joins an archived channel of their invite once it is restored', async () => {
  const { body: old } = await ada.post('/api/channels', { name: 'old' })
  const code = await inviteOf(ada, old.id)
  await ada.put(`/api/channels/${old.id}/archive`, {})
  const gil = await parley.person(`guest${count++}`, code)
  expect(await channelsOf(gil)).toEqual([])
  await ada.delete(`/api/channels/${old.id}/archive`)
  expect((await signIn(gil)).statusCode).toBe(200)
  expect(await channelsOf(gil)).toEqual(['old'])
})

test('a password link to a member ends when they become an admin', async () => {
  await ada.put(`/api/users/${bob.id}/role`, { role: 'admin' })
  const { status, body } = await bob.post(`/api/users/${eve.id}/password-reset`)
  expect([status, typeof body.code]).toEqual([201, 'string'])
  await ada.put(`/api/users/${eve.id}/role`, { role: 'admin' })
  const check = await parley.app.inject({
    method: 'POST',
    url: '/api/auth/password-reset/check',
    payload: { code: body.code },
  })
  expect(check.statusCode).toBe(404)
})

test('an invite expires no later than the time of its guests', async () => {
  const { body } = await ada.post('/api/invites', { days: 7, guests: { channelIds: [project.id], days: 2 } })
  expect(Date.parse(body.expiresAt)).toBeLessThanOrEqual(Date.parse(body.guestUntil))
})
