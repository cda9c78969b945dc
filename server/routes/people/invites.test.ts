import { beforeAll, expect, test } from 'vitest'
import { type Person, startParley } from '../../test/support/parley.ts'

const parley = await startParley({ SIGNUP: 'invite' })
const { ada } = await parley.people('ada')
/** The workspace's owner. */
let bob: Person

beforeAll(async () => {
  const { body } = await ada.post('/api/invites', { maxUses: 1 })
  await signUp('bob', body.code)
  bob = await personOf('bob')
})

const signUp = async (username: string, invite?: string, at = parley) => {
  const payload = { name: username, username, email: `${username}@example.com`, password: 'correct horse', invite }
  const answer = await at.app.inject({ method: 'POST', url: '/api/auth/sign-up/email', payload })
  return { status: answer.statusCode, code: answer.json().code as string | undefined }
}

/** The API client of a signed-up user. */
async function personOf(username: string): Promise<Person> {
  const signedIn = await parley.app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/username',
    payload: { username, password: 'correct horse' },
  })
  const cookie = signedIn.cookies.map((it) => `${it.name}=${encodeURIComponent(it.value)}`).join('; ')
  const { token } = (await parley.app.inject({ url: '/api/auth/token', headers: { cookie } })).json()
  const call = (method: 'GET' | 'POST' | 'DELETE') => async (url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${token}` }
    const answer = await parley.app.inject({ method, url, headers, ...(payload && { payload }) })
    const body = answer.body === '' ? undefined : answer.json()
    return { status: answer.statusCode, code: body?.error?.code, body }
  }
  const [get, post, del] = [call('GET'), call('POST'), call('DELETE')]
  return { id: signedIn.json().user.id, get, post, delete: del } as unknown as Person
}

const invite = async (body: object = {}, by = ada) => (await by.post('/api/invites', body)).body
const greeting = async (code: string) => {
  const answer = await parley.app.inject(`/api/auth/invite?code=${encodeURIComponent(code)}`)
  return answer.statusCode === 200 ? answer.json() : answer.statusCode
}
const signUpMode = async (at = parley) => (await at.app.inject('/api/auth/ways')).json().signUp

test('the first user signs up without an invite, later users cannot', async () => {
  const fresh = await startParley({ SIGNUP: 'invite' })
  expect(await signUpMode(fresh)).toBe('open')
  expect(await signUp('ada', undefined, fresh)).toMatchObject({ status: 200 })
  expect(await signUpMode(fresh)).toBe('invite')
  expect(await signUp('eve', undefined, fresh)).toEqual({ status: 403, code: 'INVITE_NEEDED' })
  expect(await signUp('eve', 'made-up', fresh)).toEqual({ status: 403, code: 'INVITE_ENDED' })
})

test('with open sign-up an invite counts its uses, and an expired one refuses nobody', async () => {
  const open = await startParley()
  const isEmpty = async () => (await open.app.inject('/api/auth/ways')).json().isEmpty
  expect(await isEmpty()).toBe(true)
  const olga = await open.person('olga')
  expect(await isEmpty()).toBe(false)
  const { code } = (await olga.post('/api/invites', { maxUses: 1 })).body
  for (const name of ['mei', 'tomas']) expect(await signUp(name, code, open)).toMatchObject({ status: 200 })
  const { rows } = await open.app.pool.query('select uses from invites')
  expect(rows).toEqual([{ uses: 1 }])
})

test.each(['invite', 'closed'])('of many concurrent first sign-ups, %s admits one', async (SIGNUP) => {
  const fresh = await startParley({ SIGNUP })
  const answers = await Promise.all(['mei', 'tomas', 'zoe', 'kim'].map((name) => signUp(name, undefined, fresh)))
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const people = fresh.app.db.selectFrom('users').select('role').where('id', '<>', 'assistant-bot')
  expect(await people.execute()).toEqual([{ role: 'owner' }])
})

test('closed sign-up stays closed, even with an invite', async () => {
  const fresh = await startParley({ SIGNUP: 'closed' })
  const owner = await fresh.person('ada')
  const { body } = await owner.post('/api/invites', {})
  expect(await signUp('eve', body.code, fresh)).toEqual({ status: 403, code: 'SIGN_UP_CLOSED' })
})

test('an invite admits its number of users, even concurrently', async () => {
  const { code, id } = await invite({ maxUses: 2 })
  const crowd = Array.from({ length: 6 }, (_, n) => `crowd-${n}`)
  const answers = await Promise.all(crowd.map((name) => signUp(name, code)))
  expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(2)
  const row = await parley.app.db.selectFrom('invites').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  expect(row.uses).toBe(2)
  expect(JSON.stringify(row)).not.toContain(code)
  const came = await parley.app.db.selectFrom('users').select('id').where('inviteId', '=', id).execute()
  expect(came).toHaveLength(2)
  expect(await greeting(code)).toBe(404)
  expect(await signUp('late', code)).toEqual({ status: 403, code: 'INVITE_ENDED' })
})

test('a failed sign-up does not use up an invite, and without an invite known addresses are not revealed', async () => {
  const { code, id } = await invite({ maxUses: 2 })
  expect(await signUp('ada', code)).toMatchObject({ status: 400, code: 'USERNAME_IS_ALREADY_TAKEN' })
  expect((await ada.get('/api/invites')).body.find((it: { id: string }) => it.id === id).uses).toBe(0)
  expect(await signUp('ada')).toEqual(await signUp('somebody-new'))
})

test('an invite names its sender until it expires or is revoked', async () => {
  const { code, id } = await invite()
  expect(await greeting(code)).toEqual({ from: 'Ada', email: null })
  expect((await ada.delete(`/api/invites/${id}`)).status).toBe(204)
  expect((await ada.delete(`/api/invites/${id}`)).status).toBe(404)
  const old = await invite({ days: 1 })
  await parley.app.db.updateTable('invites').set({ expiresAt: '2020-01-01' }).where('id', '=', old.id).execute()
  for (const ended of [code, old.code, '', 'x', `${code}x`]) {
    expect(await greeting(ended)).toBe(404)
    expect((await signUp('nobody', ended)).status).toBe(403)
  }
})

test('the owner and admins create, list and revoke invites; members cannot', async () => {
  for (const refused of [
    await bob.get('/api/invites'),
    await bob.post('/api/invites', {}),
    await bob.delete(`/api/invites/${(await invite()).id}`),
    await bob.get('/api/workspace/people'),
  ])
    expect(refused).toMatchObject({ status: 403, code: 'forbidden' })
  await parley.app.db.updateTable('users').set({ role: 'admin' }).where('id', '=', bob.id).execute()
  const made = await invite({ days: 90, maxUses: 1000 }, bob)
  const [newest] = (await ada.get('/api/invites')).body
  expect(newest).toEqual({
    id: made.id,
    createdBy: { id: bob.id, username: 'bob', name: 'bob' },
    createdAt: expect.any(String),
    expiresAt: expect.any(String),
    maxUses: 1000,
    uses: 0,
    guestUntil: null,
    channels: [],
    email: null,
    mail: null,
    mailedAt: null,
  })
  expect(Date.parse(newest.expiresAt) - Date.now()).toBeGreaterThan(89 * 24 * 3600_000)
  for (const wrong of [{ days: 0 }, { days: 91 }, { maxUses: 0 }, { maxUses: 1001 }, { days: 1.5 }, { days: '7' }])
    expect(await ada.post('/api/invites', wrong)).toMatchObject({ status: 400, code: 'invalid' })
})

test('deactivating a user ends their invites', async () => {
  const { code: first } = await invite({ maxUses: 1 })
  await signUp('dan', first)
  const dan = await personOf('dan')
  await parley.app.db.updateTable('users').set({ role: 'admin' }).where('id', '=', dan.id).execute()
  const { code } = await invite({}, dan)
  expect(await greeting(code)).toEqual({ from: 'dan', email: null })
  await ada.put(`/api/users/${dan.id}/deactivation`, {})
  expect(await greeting(code)).toBe(404)
  await ada.delete(`/api/users/${dan.id}/deactivation`)
  expect(await greeting(code)).toBe(404)
})

test('an invite of one workspace is invalid in another', async () => {
  const other = await startParley({ SIGNUP: 'invite' })
  await other.person('ada')
  expect(await signUp('eve', (await invite()).code, other)).toEqual({ status: 403, code: 'INVITE_ENDED' })
})

test('admins see every user with role and address, including deactivated ones', async () => {
  const { body } = await ada.get('/api/workspace/people')
  expect(body.find((it: { username: string }) => it.username === 'ada')).toMatchObject({
    role: 'owner',
    email: 'ada@example.com',
    deactivatedAt: null,
    createdAt: expect.any(String),
  })
  const [found, ...others] = (await ada.get('/api/workspace/people?query=BOB@')).body
  expect([found.username, others]).toEqual(['bob', []])
  const mia = await invite({ maxUses: 1 })
  await signUp('mia', mia.code)
  const { id } = await personOf('mia')
  await ada.put(`/api/users/${id}/deactivation`, {})
  const seen = (await ada.get('/api/workspace/people?query=mia')).body
  expect(seen).toMatchObject([{ id, deactivatedAt: expect.any(String) }])
})
