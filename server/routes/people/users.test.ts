import { beforeAll, expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import { limits } from '#contract/limits'
import type { Message } from '#contract/messages'
import { DEFAULT_STATUS, type Profile, reservedUsernames } from '#contract/users'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
let general: string

beforeAll(async () => {
  const { channels } = (await ada.get('/api/channels')).body
  general = channels.find(({ name }: Channel) => name === 'general').id
})

/** All users except the assistant, which assistant.test.ts covers. */
const users = async (person: Person, query = ''): Promise<Profile[]> =>
  (await person.get(`/api/users${query}`)).body.filter(({ id }: Profile) => id !== 'assistant-bot')
const found = async (query: string) =>
  (await users(bob, `?query=${encodeURIComponent(query)}`)).map(({ username }) => username)
const rename = (person: Person, body: object) => person.patch('/api/users/me', body)

test('the directory lists everyone by username, with e-mails only for oneself and for admins', async () => {
  const profile = ({ id, username, name }: Person) => ({
    ...{ id, username, name },
    color: expect.any(Number),
    status: 'offline',
    user_status: DEFAULT_STATUS,
    avatarUrl: null,
    deactivatedAt: null,
  })
  expect(await users(bob)).toEqual([profile(ada), { ...profile(bob), email: bob.email }, profile(eve)])
  expect(await users(ada)).toEqual([ada, bob, eve].map((it) => ({ ...profile(it), email: it.email })))
  expect((await bob.get(`/api/users/${eve.id}`)).body).toEqual(profile(eve))
  expect((await bob.get(`/api/users/${bob.id}`)).body).toEqual({ ...profile(bob), email: bob.email })
  const { db } = parley.app
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', bob.id).execute()
  expect((await bob.get(`/api/users/${eve.id}`)).body.email).toBe(eve.email)
  expect((await users(bob)).map(({ email }) => email)).toEqual([ada, bob, eve].map(({ email }) => email))
  await db.updateTable('users').set({ role: 'member' }).where('id', '=', bob.id).execute()
  expect(await users(bob)).toEqual([profile(ada), { ...profile(bob), email: bob.email }, profile(eve)])
})

test('no other response contains another user’s e-mail', async () => {
  const { body: direct } = await ada.post('/api/direct-messages', { userIds: [bob.id] })
  const own = await eve.listen()
  await rename(bob, { name: 'Robert' })
  await rename(bob, { name: 'Bob' })
  await own.waitFor('user:updated', ({ name }) => name === 'Bob')
  for (const url of [`/api/channels/${general}/members`, `/api/channels/${direct.id}`, '/api/channels'])
    expect(JSON.stringify((await ada.get(url)).body)).not.toContain('@example.com')
  expect(JSON.stringify(own.events)).not.toContain('@example.com')
})

test('an unknown user is not found', async () => {
  for (const id of ['nobody', encodeURIComponent('ada%'), ada.id.toUpperCase()])
    expect(await bob.get(`/api/users/${id}`)).toMatchObject({ status: 404, code: 'not_found' })
  // `me` has a separate path, for changes.
  expect(await bob.get('/api/users/me')).toMatchObject({ status: 405, headers: { allow: 'PATCH' } })
  for (const id of ['x'.repeat(65), '%00'])
    expect(await bob.get(`/api/users/${id}`)).toMatchObject({ status: 400, code: 'invalid' })
  expect(await bob.get('/api/users/%ff')).toMatchObject({ status: 400 })
})

test('users are found by any part of their username or name, case-insensitively and literally', async () => {
  for (const [username, name] of [
    ['per_cent', '100% Zoë'],
    ['percent', 'Back\\slash'],
    ['x.y-z', 'Łukasz “Luk” O’Hara'],
  ] as const)
    await rename(await parley.person(`find-${made++}`), { username, name })
  expect(await found('PER')).toEqual(['per_cent', 'percent'])
  expect(await found('r_c')).toEqual(['per_cent'])
  expect(await found('%')).toEqual(['per_cent'])
  expect(await found('0% z')).toEqual(['per_cent'])
  expect(await found('ZOË')).toEqual(['per_cent'])
  expect(await found('\\')).toEqual(['percent'])
  expect(await found('\\s')).toEqual(['percent'])
  expect(await found('k\\')).toEqual(['percent'])
  expect(await found('łukasz')).toEqual(['x.y-z'])
  expect(await found('.y-')).toEqual(['x.y-z'])
  expect(await found('O’H')).toEqual(['x.y-z'])
  for (const nothing of ['_x', '%%', 'e.y', '.*', "'; --", '@example']) expect(await found(nothing)).toEqual([])
  expect(await found('')).toEqual((await users(bob)).map(({ username }) => username))
  for (const query of [`query=${'x'.repeat(limits.query + 1)}`, 'query=a&query=b', 'query=%00'])
    expect(await bob.get(`/api/users?${query}`)).toMatchObject({ status: 400, code: 'invalid' })
})

let made = 0
const somebody = () => parley.person(`somebody-${made++}`)

test('a new name shows at once: on messages, in direct messages and in every list of people', async () => {
  const max = await somebody()
  const outsider = await eve.listen()
  const sent: Message = await max.say(general, 'it is me')
  const { body: direct } = await max.post('/api/direct-messages', { userIds: [bob.id] })
  const before: Message[] = (await bob.get(`/api/messages/channel/${general}`)).body
  expect(before.at(-1)?.user).toEqual({ id: max.id, username: max.username, name: max.name, color: expect.any(Number) })
  const { status, body } = await rename(max, { name: ' Max\u0301 ', username: ' MAX.1 ' })
  const user = { id: max.id, username: 'max.1', name: 'Max\u0301', color: sent.user.color }
  expect([status, body]).toEqual([
    200,
    { ...user, isNamesake: false, email: max.email, role: 'member', language: null },
  ])
  expect((await max.say(general, 'and still')).user).toEqual(user)
  expect(await outsider.waitFor('message:created', ({ content }) => content === 'and still')).toMatchObject({ user })
  const event = await outsider.waitFor('user:updated', ({ id }) => id === max.id)
  // It includes the picture if the poll published it first.
  expect({ avatarUrl: null, ...event }).toEqual({
    ...user,
    isNamesake: false,
    avatarUrl: null,
    peopleVersion: expect.any(Number),
  })

  const page: Message[] = (await bob.get(`/api/messages/channel/${general}`)).body
  expect(page.slice(0, -1)).toEqual(before.map((it) => (it.id === sent.id ? { ...it, user } : it)))
  expect((await bob.get(`/api/users/${max.id}`)).body).toMatchObject(user)
  const { body: shown } = await bob.get(`/api/channels/${direct.id}`)
  expect(shown.members.map(({ username }: Profile) => username)).toEqual(['bob', 'max.1'])
  expect(shown.name).toBe('dm-bob-max.1')
  const { directMessages } = (await max.get('/api/channels')).body
  expect(directMessages.map(({ id, name }: Channel) => [id, name])).toEqual([[direct.id, 'dm-bob-max.1']])
  expect((await bob.post('/api/direct-messages', { userIds: [max.id] })).body.id).toBe(direct.id)
  const later = await bob.listen()
  expect(later.all('ready')[0]?.peopleVersion).toBe(event.peopleVersion)
})

test('concurrent changes of name and username both succeed', async () => {
  const max = await somebody()
  await Promise.all([rename(max, { name: 'Both' }), rename(max, { username: 'both-at-once' })])
  expect((await bob.get(`/api/users/${max.id}`)).body).toMatchObject({ name: 'Both', username: 'both-at-once' })
})

test('a new username signs in, and the old one is free', async () => {
  const [max, other] = [await somebody(), await somebody()]
  const signIn = async (username: string) =>
    (
      await parley.app.inject({
        method: 'POST',
        url: '/api/auth/sign-in/username',
        payload: { username, password: max.password },
        headers: { origin: 'http://localhost' },
      })
    ).statusCode
  await rename(max, { username: 'fresh-name' })
  expect([await signIn('Fresh-Name'), await signIn(max.username)]).toEqual([200, 401])
  const session = await parley.app.inject({ url: '/api/auth/get-session', headers: { cookie: max.cookie } })
  expect(session.json().user).toMatchObject({ username: 'fresh-name', displayUsername: 'fresh-name' })
  expect((await rename(other, { username: max.username })).status).toBe(200)
})

test('a username is unique regardless of case, even with concurrent claims', async () => {
  const [max, kim] = [await somebody(), await somebody()]
  for (const username of ['ada', 'ADA', ' Ada '])
    expect(await rename(max, { username })).toMatchObject({
      status: 409,
      code: 'username_taken',
      body: { error: { fields: { username: expect.any(String) } } },
    })
  expect((await rename(max, { username: 'ada', name: 'Ada' })).status).toBe(409)
  expect((await users(bob)).filter(({ name }) => name === 'Ada')).toHaveLength(1)
  const answers = await Promise.all([max, kim].map((person) => rename(person, { username: 'wanted' })))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
})

test.each([
  ...reservedUsernames,
  'Everyone',
  '',
  'ab',
  'x'.repeat(31),
  'a b',
  'a@b',
  'äöü',
  'ada\u200b',
  'аda',
  'a/b',
  null,
  7,
])('the username %j is refused with an error for the field', async (username) => {
  const refused = await rename(eve, { username })
  expect(refused).toMatchObject({ status: 400, code: 'invalid' })
  expect(refused.body.error.fields).toHaveProperty('username')
})

test.each([
  ['می‌خواهم', 'می‌خواهم'],
  ['👨‍👩‍👧‍👦 Eve', '👨‍👩‍👧‍👦 Eve'],
  ['E\u200dve', 'Eve'],
])('name %j is stored as %j', async (name, kept) => {
  expect(await rename(eve, { name })).toMatchObject({ status: 200, body: { name: kept } })
})

test.each([
  ['an invisible joiner', 'Assis\u200dtant'],
  ['a small capital', 'ᴀssistant'],
  ['small capitals', 'ᴀꜱꜱɪꜱᴛᴀɴᴛ'],
  ['a small L', 'ASSlSTANT'],
  ['a small L within small letters', 'Asslstant'],
  ['a one', 'Ass1stant'],
  ['a bar', 'Ass|stant'],
  ['a stroke', 'Assɨstant'],
  ['letters of flags', '🇦🇸🇸🇮🇸🇹🇦🇳🇹'],
  ['letters in squares', '🅰🆂🆂🅸🆂🆃🅰🅽🆃'],
  ['full width', 'Ａｓｓｉｓｔａｎｔ'],
  ['a Cherokee letter', 'Ꭺssistant'],
])('a name cannot look like the assistant’s by %s', async (_, name) => {
  expect(await rename(eve, { name })).toMatchObject({ status: 400, code: 'invalid' })
})

test.each(['Astrid', 'Assia', 'Lassi Tant', 'Assistance', 'Ille'])('the name %s is allowed', async (name) => {
  expect(await rename(eve, { name })).toMatchObject({ status: 200, body: { name } })
})

test.each([
  '',
  '  ',
  '\u200d',
  'x'.repeat(81),
  'a\u200bb',
  'a\nb',
  'a\u202eb',
  'a\0b',
  '\ud800',
  '\u2028',
  '\u00ad',
  null,
  7,
  ['Eve'],
])('the name %j is refused with an error for the field', async (name) => {
  const refused = await rename(eve, { name })
  expect(refused).toMatchObject({ status: 400, code: 'invalid' })
  expect(refused.body.error.fields).toHaveProperty('name')
})

test('an update without changes publishes nothing, and no other field can be set', async () => {
  const max = await somebody()
  const listener = await bob.listen()
  const version = async () => (await bob.get('/api/channels')).body.peopleVersion
  const before = await version()
  const mine = { id: max.id, username: max.username, name: max.name, email: max.email, role: 'member' }
  for (const body of [
    {},
    { name: max.name, username: max.username.toUpperCase() },
    { role: 'owner', email: 'x@y.z', id: ada.id },
  ])
    expect(await rename(max, body)).toMatchObject({ status: 200, body: mine })
  expect(await version()).toBe(before)
  await rename(max, { name: 'Somebody else' })
  await listener.waitFor(
    'user:updated',
    ({ name, peopleVersion }) => name === 'Somebody else' && peopleVersion > before,
  )
})

const put = (person: Person, user_status: unknown) => person.put('/api/users/status', { user_status })

test.each(['🌴', '👍🏿', '👩🏽‍❤️‍💋‍👨🏿', '👨‍👩‍👧‍👦', '🏴󠁧󠁢󠁥󠁮󠁧󠁿', '🇺🇳', '#️⃣', '❤️', '☺️', DEFAULT_STATUS])(
  '%s is a status',
  async (emoji) => {
    const { status, body } = await put(eve, emoji)
    expect([status, body]).toEqual([200, { ...(await eve.get(`/api/users/${eve.id}`)).body }])
    expect(body).toMatchObject({ id: eve.id, user_status: emoji, email: eve.email })
    expect((await users(bob)).find(({ id }) => id === eve.id)?.user_status).toBe(emoji)
  },
)

test.each([
  '',
  ' ',
  'a',
  '👍👍',
  '👍 ',
  ' 👍',
  '../',
  '❤',
  '#',
  '1',
  '\u200d',
  '🏿'.repeat(2),
  '👍\0',
  '🇺',
  null,
  1,
  ['👍'],
  {},
])('%j is not a status', async (emoji) => {
  const { user_status } = (await eve.get(`/api/users/${eve.id}`)).body
  expect(await put(eve, emoji)).toMatchObject({ status: 400, code: 'invalid' })
  expect((await eve.get(`/api/users/${eve.id}`)).body.user_status).toBe(user_status)
})

test('an oversized status is refused', async () => {
  expect(await put(eve, 'x'.repeat(60_000))).toMatchObject({ status: 400, code: 'invalid' })
  expect(await put(eve, '👍'.repeat(15_000))).toMatchObject({ status: 400, code: 'invalid' })
  expect(await put(eve, 'x'.repeat(70_000))).toMatchObject({ status: 413, code: 'too_large' })
})
