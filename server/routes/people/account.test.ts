import { sql } from 'kysely'
import { expect, test } from 'vitest'
import type { Channel } from '#contract/channels'
import type { Profile } from '#contract/users'
import { type Person, signUp, startParley } from '../../test/support/parley.ts'
import { openDirectory } from '../../test/support/scim-directory.ts'

const parley = await startParley()
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
const { app } = parley
const { db } = app

const PATH = '/api/users/me/deletion'
const remove = (who: Person, more: object = {}) =>
  who.post(PATH, { username: who.username, password: who.password, ...more })
let count = 0
const somebody = (name = 'somebody') => parley.person(`${name}-${count++}`)
const newChannel = async (owner: Person, members: Person[], isPrivate = false): Promise<Channel> =>
  (await owner.post('/api/channels', { name: `left-${count++}`, isPrivate, members: members.map(({ id }) => id) })).body
const direct = async (by: Person, ...others: Person[]): Promise<Channel> =>
  (await by.post('/api/direct-messages', { userIds: others.map(({ id }) => id) })).body
const channelOf = async (who: Person, { id }: { id: string }) => (await who.get(`/api/channels/${id}`)).body as Channel
const signIn = (email: string, password: string) =>
  app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/email',
    payload: { email, password },
    headers: { origin: 'http://localhost' },
  })

/** The tables with a row that contains a text. */
async function tablesWith(text: string) {
  const { rows } = await sql<{ name: string }>`
    select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'
  `.execute(db)
  const found: string[] = []
  for (const { name } of rows) {
    const hit = await sql`select 1 from ${sql.table(name)} it where it::text ilike ${`%${text}%`} limit 1`.execute(db)
    if (hit.rows.length > 0) found.push(name)
  }
  return found.sort()
}

test('nothing in the database identifies the person, and the audit log has one line', async () => {
  const zoe = await parley.person('zorblax')
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', zoe.id).execute()
  await zoe.put('/api/users/status', { user_status: '🌴', text: 'zorblax is away' })
  await zoe.patch('/api/users/me/card', { values: { title: 'Chief zorblax' }, timeZone: 'Europe/Vienna' })
  const { body: invite } = await zoe.post('/api/invites', { days: 1, maxUses: 5 })
  await zoe.post(`/api/users/${bob.id}/password-reset`)
  await zoe.post('/api/later', { text: 'remind zorblax' })
  const channel = await newChannel(ada, [zoe])
  await zoe.upload(channel.id, 'zorblax.txt', 'not sent', true)
  const sendAt = new Date(Date.now() + 3_600_000).toISOString()
  await zoe.post('/api/scheduled-messages', { channelId: channel.id, content: 'zorblax tomorrow', sendAt })
  await zoe.post('/api/exports', { scope: 'mine' })
  await db
    .insertInto('two_factors')
    .values({ id: 'zorblax', userId: zoe.id, secret: 'zorblax', backupCodes: 'zorblax', verified: true })
    .execute()
  await db
    .insertInto('mails')
    .values({ id: '0199a1de-0000-7000-8000-00000000abcd', userId: zoe.id, to: zoe.email, content: '{}' })
    .execute()
  expect(await tablesWith('zorblax')).toContain('users')
  expect((await zoe.get(PATH)).body).toEqual({ obstacle: null })

  expect((await remove(zoe)).status).toBe(204)
  const left = await tablesWith('zorblax')
  // The next sweep deletes the bytes and the row of the file.
  expect(left.filter((table) => table !== 'files')).toEqual([])
  const files = await db.selectFrom('files').select('state').where('userId', '=', zoe.id).execute()
  expect(files.filter(({ state }) => state !== 'gone')).toEqual([])
  const owning = ['accounts', 'sessions', 'two_factors', 'mails', 'exports', 'memberships'] as const
  for (const table of owning)
    await expect
      .poll(() => db.selectFrom(table).select('userId').where('userId', '=', zoe.id).execute(), { message: table })
      .toEqual([])
  expect((await app.inject({ url: `/api/auth/invite?code=${invite.code}` })).statusCode).toBe(404)
  expect((await signIn(zoe.email, zoe.password)).statusCode).toBe(401)

  const { entries } = (await ada.get(`/api/audit?person=${zoe.id}`)).body
  const kinds = entries.map(({ kind }: { kind: string }) => kind)
  expect(kinds.filter((kind: string) => /delet|deactiv/.test(kind))).toEqual(['account_deleted'])
  expect(entries[kinds.indexOf('account_deleted')]).toMatchObject({
    actor: { id: zoe.id, name: 'Deleted account' },
    person: null,
  })
})

test('messages stay under a neutral name, updated live for everybody', async () => {
  const dan = await somebody('dan')
  const channel = await newChannel(ada, [dan, bob])
  const { id } = await dan.say(channel.id, 'remember me')
  await ada.say(channel.id, `thanks @${dan.username}`)
  await dan.post(`/api/messages/${id}/reactions`, { emoji: '👍' })
  const { body: file } = await dan.upload(channel.id, 'plan.txt')
  const [bobs, eves] = [await bob.listen(), await eve.listen()]
  expect((await remove(dan)).status).toBe(204)
  const nobody = { id: dan.id, name: 'Deleted account', username: `deleted~${dan.id.slice(-12)}` }
  for (const listener of [bobs, eves])
    expect(await listener.waitFor('user:updated', (it) => it.id === dan.id)).toMatchObject(nobody)
  await bobs.waitFor('channel:member_left', ({ channelId, userId }) => channelId === channel.id && userId === dan.id)

  const messages = (await bob.get(`/api/messages/channel/${channel.id}`)).body
  expect(messages[0]).toMatchObject({ content: 'remember me', user: nobody, reactions: { '👍': [nobody] } })
  expect(messages[1].mentions).toMatchObject([{ userId: dan.id }])
  expect((await bob.get(`/api/files/channel/${channel.id}`)).body).toMatchObject([{ id: file.id }])
  expect((await bob.get(`/api/users/${dan.id}`)).body).toMatchObject({ ...nobody, avatarUrl: null, user_status: '😊' })
  const listed = (await bob.get('/api/users')).body.map(({ id }: Profile) => id)
  expect(listed).not.toContain(dan.id)
  expect((await ada.get('/api/workspace/people')).body.map(({ id }: Profile) => id)).not.toContain(dan.id)
  expect(await channelOf(bob, channel)).toMatchObject({ _count: { members: 2 } })
  expect((await bob.get(`/api/search?q=remember&channelId=${channel.id}`)).body).toMatchObject([
    { metadata: { author: nobody } },
  ])
})

test('a direct message becomes read-only, a group continues, and a channel without other members is deleted', async () => {
  const [dan, kim] = [await somebody('dan'), await somebody('kim')]
  const pair = await direct(bob, dan)
  const { id } = await dan.say(pair.id, 'until then')
  const group = await direct(bob, dan, kim)
  await dan.say(group.id, 'to both')
  const own = await newChannel(dan, [], true)
  await dan.say(own.id, 'for me only')
  const open = await newChannel(dan, [])
  const owned = await newChannel(dan, [kim], true)
  const bobs = await bob.listen()
  expect((await remove(dan)).status).toBe(204)

  await bobs.waitFor('channel:updated', (it) => it.id === pair.id && it.archivedAt !== null)
  const seen = await channelOf(bob, pair)
  expect(seen.members.map(({ name }) => name).sort()).toEqual(['Bob', 'Deleted account'])
  expect((await bob.get(`/api/messages/channel/${pair.id}`)).body).toMatchObject([{ content: 'until then' }])
  expect(await bob.post('/api/messages', { channelId: pair.id, content: 'are you there?' })).toMatchObject({
    status: 409,
    code: 'archived',
  })
  expect((await bob.post(`/api/messages/${id}/reactions`, { emoji: '👋' })).status).toBe(409)
  expect((await bob.upload(pair.id, 'late.txt')).status).toBe(409)
  expect(await bob.post('/api/direct-messages', { userIds: [dan.id] })).toMatchObject({ body: { id: pair.id } })
  expect((await eve.post('/api/direct-messages', { userIds: [dan.id] })).status).toBe(404)
  expect((await bob.post('/api/messages', { channelId: group.id, content: 'still here' })).status).toBe(201)
  await expect.poll(() => channelOf(kim, owned)).toMatchObject({ ownerId: kim.id, _count: { members: 1 } })
  await expect.poll(() => channelOf(eve, open)).toMatchObject({ _count: { members: 0 } })
  const gone = db.selectFrom('channels').select('deletedAt').where('id', '=', own.id)
  await expect.poll(() => gone.executeTakeFirstOrThrow()).toEqual({ deletedAt: expect.any(String) })

  // After the second deletion only Bob is left in the group; after Bob's, nobody.
  await remove(kim)
  await expect.poll(async () => (await channelOf(bob, group)).archivedAt).not.toBeNull()
  expect((await bob.post('/api/messages', { channelId: group.id, content: 'anybody?' })).status).toBe(409)
})

test('a new sign-up with the same address and username is a different person', async () => {
  const dan = await somebody('dan')
  const channel = await newChannel(ada, [dan, bob])
  const pair = await direct(bob, dan)
  await dan.say(pair.id, 'a secret')
  await bob.say(channel.id, `ask @${dan.username}`)
  await remove(dan)
  const next = await signUp(app, parley.address, dan.username)
  expect(next.email).toBe(dan.email)
  expect(next.id).not.toBe(dan.id)
  expect((await next.get(`/api/channels/${pair.id}`)).status).toBe(404)
  expect((await next.get('/api/channels')).body.directMessages).toEqual([])
  await ada.post(`/api/channels/${channel.id}/invite`, { userId: next.id })
  expect((await next.get(`/api/messages/channel/${channel.id}`)).body[0].mentions).toMatchObject([{ userId: dan.id }])
  expect((await next.get(`/api/search?q=${encodeURIComponent(`from:${dan.username} ask`)}`)).body).toEqual([])
  const fresh = await direct(bob, next)
  expect(fresh.id).not.toBe(pair.id)
})

test('the owner and people from a directory cannot, with the reason, and nothing changes', async () => {
  expect((await ada.get(PATH)).body).toEqual({ obstacle: 'owner' })
  expect(await remove(ada)).toMatchObject({ status: 409, code: 'owner_hands_over' })
  const okta = await openDirectory(parley, ada)
  const dan = await somebody('dan')
  const values = { userId: dan.id, userName: dan.email }
  await db.insertInto('provided_people').values(values).execute()
  expect((await dan.get(PATH)).body).toEqual({ obstacle: 'directory' })
  expect(await remove(dan)).toMatchObject({ status: 409, code: 'account_provided' })
  expect((await dan.get('/api/channels')).status).toBe(200)
  expect((await okta.scim('GET', `/Users/${dan.id}`)).status).toBe(200)
  await db.updateTable('provisioning_tokens').set({ revokedAt: sql`clock_timestamp()` }).execute()
  expect((await remove(dan)).status).toBe(204)
  await db.updateTable('provisioning_tokens').set({ revokedAt: null }).execute()
  expect((await okta.scim('GET', `/Users/${dan.id}`)).status).toBe(404)
  const found = await okta.scim('GET', `/Users?filter=${encodeURIComponent(`userName eq "${dan.email}"`)}`)
  expect(found.body.totalResults).toBe(0)
  expect(
    (await okta.scim('POST', '/Users', okta.someone({ userName: dan.email, emails: [{ value: dan.email }] }))).status,
  ).toBe(201)
  await db.updateTable('provisioning_tokens').set({ revokedAt: sql`clock_timestamp()` }).execute()
})

test('it needs the username and the password or, without a password, a session that has just begun', async () => {
  const dan = await somebody('dan')
  expect(await remove(dan, { username: bob.username })).toMatchObject({ status: 400, code: 'invalid' })
  expect((await remove(dan, { password: 'not the right one' })).body.error.problems).toHaveProperty('password')
  expect((await remove(dan, { password: undefined })).status).toBe(400)
  expect((await dan.get('/api/channels')).status).toBe(200)
  expect((await remove(dan, { username: `@${dan.username.toUpperCase()} ` })).status).toBe(204)

  const mei = await somebody('mei')
  await db.updateTable('accounts').set({ password: null }).where('userId', '=', mei.id).execute()
  const createdAt = sql<string>`clock_timestamp() - interval '11 minutes'`
  await db.updateTable('sessions').set({ createdAt }).where('userId', '=', mei.id).execute()
  expect(await remove(mei, { password: undefined })).toMatchObject({ status: 403, code: 'fresh_sign_in_needed' })
  await db
    .updateTable('sessions')
    .set({ createdAt: sql<string>`clock_timestamp()` })
    .where('userId', '=', mei.id)
    .execute()
  expect((await remove(mei, { password: undefined })).status).toBe(204)
})

test('a deleted account can be neither restored nor changed', async () => {
  const dan = await somebody('dan')
  await remove(dan)
  const calls = [
    ada.delete(`/api/users/${dan.id}/deactivation`),
    ada.put(`/api/users/${dan.id}/deactivation`, {}),
    ada.put(`/api/users/${dan.id}/role`, { role: 'admin' }),
    ada.post(`/api/users/${dan.id}/password-reset`),
    ada.put(`/api/users/${dan.id}/mute`, { hours: 1 }),
    ada.post(`/api/workspace/handover`, { userId: dan.id, password: ada.password }),
  ]
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(calls.map(() => 404))
  // A node of the previous version doesn't know that it is final.
  await db
    .updateTable('users')
    .set({ deactivatedAt: null, name: 'Dan', username: dan.username, email: dan.email })
    .where('id', '=', dan.id)
    .execute()
  expect((await bob.get(`/api/users/${dan.id}`)).body).toMatchObject({
    name: 'Deleted account',
    deactivatedAt: expect.any(String),
  })
})
