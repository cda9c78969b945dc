import { expect, test } from 'vitest'
import { openDatabase } from '../db/database.ts'
import { migrate } from '../db/migrate.ts'
import { freeUsername } from '../identity/free-username.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { longTest } from '../test/support/long.ts'
import { databaseAt } from '../test/support/new-database.ts'
import { type Person, startParley } from '../test/support/parley.ts'
import { openDirectory } from '../test/support/scim-directory.ts'
import { fillLooks } from './looks.ts'

const parley = await startParley()
const { olga, bob, eve } = await parley.people('olga', 'bob', 'eve')
const { db } = parley.app
const general = (await olga.get('/api/channels')).body.channels[0].id as string

const signUp = async (username: string, name = 'Somebody') => {
  const email = `${username.toLowerCase()}@example.org`
  const payload = { username, name, email, password: 'correct horse' }
  const { statusCode, json } = await parley.app.inject({ method: 'POST', url: '/api/auth/sign-up/email', payload })
  return { status: statusCode, ...json() }
}
const rename = (person: Person, body: object) => person.patch('/api/users/me', body)
const listed = async (id: string) =>
  (await bob.get('/api/users')).body.find((it: { id: string }) => it.id === id) as { isNamesake?: boolean }

test('a sign-up with a username that looks like that of a person or group is refused', async () => {
  await olga.post('/api/groups', { username: 'family', name: 'Family', userIds: [bob.id] })
  for (const username of ['0lga', 'o1ga', '0LGA', 'farnily', 'fami1y'])
    expect(await signUp(username), username).toMatchObject({
      status: 400,
      code: 'USERNAME_IS_ALREADY_TAKEN',
      reason: 'usernameLooksTaken',
    })
  for (const username of ['olga', 'family'])
    expect(await signUp(username), username).toMatchObject({ status: 400, code: 'USERNAME_IS_ALREADY_TAKEN' })
  for (const username of ['olga.p', 'neil', 'nell']) expect((await signUp(username)).status, username).toBe(200)
})

test('renaming a person or group to such a username is refused, unless it resembles only their own', async () => {
  for (const username of ['o1ga', '0lga', 'farnily']) {
    const refused = await rename(eve, { username })
    expect(refused, username).toMatchObject({ status: 409, code: 'username_taken' })
    expect(refused.body.error.message).toBe('This username looks too much like another one')
    expect(refused.body.error.fields).toEqual({ username: 'looks too much like another one' })
  }
  expect((await rename(olga, { username: 'o1ga' })).status).toBe(200)
  expect((await rename(olga, { username: 'olga' })).status).toBe(200)
  const group = await olga.post('/api/groups', { username: '0lga', name: 'Posers' })
  expect(group).toMatchObject({ status: 409, code: 'username_taken' })
  const { id } = (await olga.post('/api/groups', { username: 'friends', name: 'Friends' })).body
  expect(await olga.patch(`/api/groups/${id}`, { username: '0lga' })).toMatchObject({ status: 409 })
  expect((await olga.patch(`/api/groups/${id}`, { username: 'fr-iends' })).status).toBe(200)
})

test('of two concurrent sign-ups with usernames that look the same, one is refused', async () => {
  for (let round = 0; round < 5; round++) {
    const found = await Promise.all([`mal0ne-${round}`, `malone-${round}`].map((username) => signUp(username)))
    expect(found.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(found.find(({ status }) => status === 400)).toMatchObject({ code: 'USERNAME_IS_ALREADY_TAKEN' })
  }
})

test('a username stays protected once its person is deactivated', async () => {
  const lily = await parley.person('lily')
  await olga.put(`/api/users/${lily.id}/deactivation`, {})
  expect((await signUp('1ily')).reason).toBe('usernameLooksTaken')
})

test('generated usernames look like nobody else’s', async () => {
  expect(await freeUsername(db, '0lga')).toBe('0lga-2')
  await db.updateTable('users').set({ usernameLook: null }).where('id', '=', olga.id).execute()
  await fillLooks(db)
  expect(await freeUsername(db, 'o1ga@example.com')).toBe('o1ga-2')
  expect(await freeUsername(db, 'new_person')).toBe('new_person')
})

test('a person who takes the name of an active person is marked as a namesake until they take another', async () => {
  const { waitFor } = await bob.listen()
  expect((await rename(eve, { name: 'ОIgа' })).body).toMatchObject({ isNamesake: true })
  expect(await waitFor('user:updated', ({ id }) => id === eve.id)).toMatchObject({ id: eve.id, isNamesake: true })
  expect(await listed(eve.id)).toMatchObject({ name: 'ОIgа', isNamesake: true })
  expect(await listed(olga.id)).not.toHaveProperty('isNamesake')
  expect((await eve.say(general, 'Send me your password')).user).toMatchObject({ isNamesake: true })
  expect((await olga.say(general, 'Hello')).user).not.toHaveProperty('isNamesake')
  const page = (await bob.get(`/api/messages/channel/${general}`)).body as { user: object }[]
  expect(page.map((it) => 'isNamesake' in it.user)).toEqual([true, false])
  const members = (await bob.get(`/api/channels/${general}/members`)).body.members
  expect(members.find((it: { id: string }) => it.id === eve.id)).toMatchObject({ isNamesake: true })
  await rename(eve, { name: 'Eve' })
  expect(await listed(eve.id)).not.toHaveProperty('isNamesake')
})

test('namesakes are also marked at sign-up, by a directory, and at reactivation', async () => {
  const { user } = await signUp('newcomer', 'Olga')
  expect(await listed(user.id)).toMatchObject({ isNamesake: true })
  const directory = await openDirectory(parley, olga)
  const provided = await directory.scim('POST', '/Users', directory.someone({ displayName: 'Bob' }))
  expect(await listed(provided.body.id)).toMatchObject({ isNamesake: true })
  await olga.put(`/api/users/${user.id}/deactivation`, {})
  await rename(olga, { name: 'Olga Petrova' })
  await olga.delete(`/api/users/${user.id}/deactivation`)
  expect(await listed(user.id)).not.toHaveProperty('isNamesake')
  await rename(olga, { name: 'Olga' })
  expect(await listed(olga.id)).toMatchObject({ isNamesake: true })
})

longTest('the start of a node adds the looks of older accounts, and marks the later namesakes', async () => {
  const url = await databaseAt('0063-deleted-accounts')
  const old = openDatabase(url, { onError: () => {}, timeoutMs: 0 }).db
  atEnd(() => old.destroy())
  const at = (n: number) => new Date(Date.UTC(2025, 0, n)).toISOString()
  const people = ['zoe', 'amy', 'amy-2', 'kim'].map((username, n) => ({
    id: username,
    username,
    name: username === 'kim' ? 'Kim' : username === 'zoe' ? 'Amy Li' : 'Arny L1',
    email: `${username}@example.com`,
    createdAt: at(n + 1),
    deactivatedAt: null,
  }))
  await old.insertInto('users').values(people).execute()
  await migrate(old)
  await fillLooks(old)
  const rows = await old.selectFrom('users').select(['id', 'usernameLook', 'isNamesake']).orderBy('createdAt').execute()
  expect(rows.filter(({ id }) => id !== 'assistant-bot')).toEqual([
    { id: 'zoe', usernameLook: 'zoe', isNamesake: false },
    { id: 'amy', usernameLook: 'amy', isNamesake: true },
    { id: 'amy-2', usernameLook: 'amy-2', isNamesake: true },
    { id: 'kim', usernameLook: 'kim', isNamesake: false },
  ])
})
