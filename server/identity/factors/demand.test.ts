import { expect, test } from 'vitest'
import { appFor, createAuthenticator } from '../../test/support/authenticator.ts'
import { listen, type Person, startParley } from '../../test/support/parley.ts'
import { startDemand } from './demand.ts'

const demand = (by: Pick<Person, 'put'>, isDemanded = true) => by.put('/api/workspace/second-factor', { isDemanded })

/** Signs in by password and returns what the new session's token may do. */
async function openSession(parley: Awaited<ReturnType<typeof startParley>>, { username, password }: Person) {
  const { app, address } = parley
  const answer = await app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/username',
    payload: { username, password },
    headers: { origin: 'http://localhost' },
  })
  const cookie = answer.cookies.map((it) => `${it.name}=${encodeURIComponent(it.value)}`).join('; ')
  const token = async () => (await app.inject({ url: '/api/auth/token', headers: { cookie } })).json().token as string
  const request = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
    const headers = { authorization: `Bearer ${await token()}` }
    const it = await app.inject({ method, url, headers, ...(payload && { payload }) })
    return { status: it.statusCode, body: it.body === '' ? undefined : it.json() }
  }
  return {
    request,
    listen: async () => listen(address, await token()),
    picture: () => app.inject({ url: '/api/files/0199a1de-0000-7000-8000-000000000000/download', headers: { cookie } }),
    me: async () => (await app.inject({ url: '/api/auth/get-session', headers: { cookie } })).json()?.user,
  }
}

type Request = (method: 'POST' | 'PUT', url: string, body: object) => Promise<{ body: { secret: string } }>

async function turnOn(request: Request, password: string) {
  const { secret } = (await request('POST', '/api/two-factor/setup', { password })).body
  await request('PUT', '/api/two-factor', { code: await appFor(secret).totp() })
}
const turnOnFor = ({ post, put, password }: Person) =>
  turnOn((method, url, body) => (method === 'POST' ? post(url, body) : put(url, body)), password)

test('only the owner demands a second factor, after having one', async () => {
  const parley = await startParley()
  const { ada, bob } = await parley.people('ada', 'bob')
  expect((await demand(bob)).status).toBe(403)
  expect((await bob.get('/api/workspace/second-factor')).status).toBe(403)
  expect(await demand(ada)).toMatchObject({ status: 409, code: 'second_factor_first' })
  expect((await ada.get('/api/workspace/second-factor')).body).toEqual({
    isDemanded: false,
    startsAt: null,
    without: 2,
  })
  await turnOnFor(ada)
  expect((await demand(ada)).status).toBe(204)
  expect((await ada.get('/api/workspace/second-factor')).body).toEqual({ isDemanded: true, startsAt: null, without: 1 })
  // The owner's own session continues.
  expect((await ada.get('/api/channels')).status).toBe(200)
  expect((await ada.post('/api/two-factor/removal', { password: ada.password })).status).toBe(409)
  expect((await demand(ada, false)).status).toBe(204)
  const lines = (await ada.get('/api/audit?kind=second_factor_demanded')).body.entries as { details: object }[]
  expect(lines.map(({ details }) => details)).toEqual([{ isDemanded: false }, { isDemanded: true }])
})

test('people without one are signed out, and can then do nothing but set one up', async () => {
  const parley = await startParley()
  const { ada, bob } = await parley.people('ada', 'bob')
  await turnOnFor(ada)
  const bobs = await bob.listen()
  const left = new Promise((resolve) => bobs.socket.once('disconnect', resolve))
  await demand(ada)
  await left
  await expect.poll(async () => (await bob.get('/api/channels')).status).toBe(401)

  const session = await openSession(parley, bob)
  expect(await session.me()).toMatchObject({ username: 'bob', needsSecondFactor: true })
  expect(await session.request('GET', '/api/channels')).toMatchObject({
    status: 403,
    body: { error: { code: 'second_factor_needed' } },
  })
  expect((await session.request('POST', '/api/messages', {})).status).toBe(403)
  expect((await session.request('GET', '/api/no-such-call')).status).toBeGreaterThanOrEqual(403)
  expect((await session.picture()).statusCode).toBe(403)
  await expect(session.listen()).rejects.toThrow()

  await turnOn(session.request as Request, bob.password)
  expect(await session.me()).toMatchObject({ needsSecondFactor: false })
  expect((await session.request('GET', '/api/channels')).status).toBe(200)
  await session.listen()
})

test('a passkey counts as a second factor', async () => {
  const parley = await startParley()
  const { ada, cyd } = await parley.people('ada', 'cyd')
  await turnOnFor(ada)
  await demand(ada)
  const { request } = await openSession(parley, cyd)
  const options = (await request('POST', '/api/passkeys/setup', { password: cyd.password })).body
  const response = createAuthenticator().create(options, { origin: 'http://localhost' })
  expect((await request('GET', '/api/channels')).status).toBe(403)
  expect((await request('POST', '/api/passkeys', { name: 'Phone', response })).status).toBe(201)
  expect((await request('GET', '/api/channels')).status).toBe(200)
  // With the password alone, it doesn't.
  expect((await (await openSession(parley, cyd)).me()).needsSecondFactor).toBe(true)
})

test('sign-ins with the hosted provider need no second factor here', async () => {
  const parley = await startParley()
  const { ada, dan } = await parley.people('ada', 'dan')
  await turnOnFor(ada)
  const { db } = parley.app
  await db.updateTable('sessions').set({ signedInBy: 'provider' }).where('userId', '=', dan.id).execute()
  await demand(ada)
  expect((await dan.get('/api/channels')).status).toBe(200)
  const fresh = await parley.app.inject({ url: '/api/auth/token', headers: { cookie: dan.cookie } })
  const headers = { authorization: `Bearer ${fresh.json().token}` }
  expect((await parley.app.inject({ url: '/api/channels', headers })).statusCode).toBe(200)
})

test('people who get some days are told, and signed out only when these are over', async () => {
  const parley = await startParley()
  const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
  const { db } = parley.app
  const dueOf = async ({ cookie }: Person) =>
    (await parley.app.inject({ url: '/api/auth/get-session', headers: { cookie } })).json().user.secondFactorAt
  const announce = (graceDays: number) => ada.put('/api/workspace/second-factor', { isDemanded: true, graceDays })
  expect(await announce(7)).toMatchObject({ status: 409, code: 'second_factor_first' })
  await turnOnFor(ada)
  expect((await announce(91)).status).toBe(400)
  const changed = (await bob.listen()).waitFor('permissions:changed', () => true)
  expect((await announce(7)).status).toBe(204)
  await changed
  const { startsAt } = (await ada.get('/api/workspace/second-factor')).body
  expect(Date.parse(startsAt) - Date.now()).toBeGreaterThan(6 * 86_400_000)
  expect([await dueOf(bob), await dueOf(ada)]).toEqual([startsAt, null])
  expect((await bob.get('/api/channels')).status).toBe(200)
  expect(await startDemand(db)).toBe(false)
  await turnOnFor(eve)
  expect(await dueOf(eve)).toBeNull()

  await db
    .updateTable('workspace')
    .set({ secondFactorAt: new Date(0).toISOString() })
    .execute()
  expect(await Promise.all([startDemand(db), startDemand(db)])).toContain(false)
  await expect.poll(async () => (await bob.get('/api/channels')).status).toBe(401)
  expect((await eve.get('/api/channels')).status).toBe(200)
  expect((await ada.get('/api/workspace/second-factor')).body).toEqual({ isDemanded: true, startsAt: null, without: 1 })
  // It is demanded already.
  await announce(7)
  expect((await ada.get('/api/workspace/second-factor')).body).toMatchObject({ isDemanded: true, startsAt: null })
  const lines = (await ada.get('/api/audit?kind=second_factor_demanded')).body.entries as { details: object }[]
  expect(lines.map(({ details }) => details)).toEqual([{ isDemanded: true }, { isDemanded: true, days: 7 }])
})

test('an announced date can be moved and taken back', async () => {
  const parley = await startParley()
  const ada = await parley.person('ada')
  await turnOnFor(ada)
  const put = (body: object) => ada.put('/api/workspace/second-factor', body)
  const read = async () => (await ada.get('/api/workspace/second-factor')).body
  await put({ isDemanded: true, graceDays: 30 })
  const later = (await read()).startsAt
  await put({ isDemanded: true, graceDays: 7 })
  expect(Date.parse((await read()).startsAt)).toBeLessThan(Date.parse(later))
  await put({ isDemanded: false })
  expect(await read()).toEqual({ isDemanded: false, startsAt: null, without: 0 })
  await put({ isDemanded: true, graceDays: 7 })
  await put({ isDemanded: true })
  expect(await read()).toEqual({ isDemanded: true, startsAt: null, without: 0 })
})

test('whoever will be signed out is told: also with a passkey, but signed in with the password', async () => {
  const parley = await startParley()
  const { ada, cyd } = await parley.people('ada', 'cyd')
  await turnOnFor(ada)
  const { request } = await openSession(parley, cyd)
  const options = (await request('POST', '/api/passkeys/setup', { password: cyd.password })).body
  const response = createAuthenticator().create(options, { origin: 'http://localhost' })
  expect((await request('POST', '/api/passkeys', { name: 'Phone', response })).status).toBe(201)
  await ada.put('/api/workspace/second-factor', { isDemanded: true, graceDays: 7 })
  const me = async () =>
    (await parley.app.inject({ url: '/api/auth/get-session', headers: { cookie: cyd.cookie } })).json()?.user
  const told = (await me()).secondFactorAt
  await parley.app.db
    .updateTable('workspace')
    .set({ secondFactorAt: new Date(0).toISOString() })
    .execute()
  await startDemand(parley.app.db)
  const isSignedOut = !(await me())
  expect({ told: told !== null, isSignedOut }).toEqual({ told: isSignedOut, isSignedOut })
})

test('whoever signs in with the hosted provider is not told of a date that does not concern them', async () => {
  const parley = await startParley()
  const { ada, dan } = await parley.people('ada', 'dan')
  await turnOnFor(ada)
  const { db } = parley.app
  await db.updateTable('sessions').set({ signedInBy: 'provider' }).where('userId', '=', dan.id).execute()
  await ada.put('/api/workspace/second-factor', { isDemanded: true, graceDays: 7 })
  const { user } = (await parley.app.inject({ url: '/api/auth/get-session', headers: { cookie: dan.cookie } })).json()
  expect(user.secondFactorAt).toBeNull()
})

test('the owner keeps their own second factor once a date is announced', async () => {
  const parley = await startParley()
  const ada = await parley.person('ada')
  await turnOnFor(ada)
  await ada.put('/api/workspace/second-factor', { isDemanded: true, graceDays: 7 })
  const removal = await ada.post('/api/two-factor/removal', { password: ada.password })
  await parley.app.db
    .updateTable('workspace')
    .set({ secondFactorAt: new Date(0).toISOString() })
    .execute()
  await startDemand(parley.app.db)
  expect([removal.status, (await ada.get('/api/workspace/second-factor')).status]).toEqual([409, 200])
})

test('a session that begins as the demand starts may only set up a second factor', async () => {
  const parley = await startParley()
  const { ada, bob } = await parley.people('ada', 'bob')
  await turnOnFor(ada)
  const { db } = parley.app
  await db
    .updateTable('workspace')
    .set({ secondFactorAt: new Date(0).toISOString() })
    .execute()
  // The start deletes sessions and waits before its commit, while bob signs in again and fetches a token.
  let token = ''
  let results = 0
  const slow = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      if (++results === 2) {
        const answer = await parley.app.inject({
          method: 'POST',
          url: '/api/auth/sign-in/username',
          payload: { username: bob.username, password: bob.password },
          headers: { origin: 'http://localhost' },
        })
        const cookie = answer.cookies.map((it) => `${it.name}=${encodeURIComponent(it.value)}`).join('; ')
        token = (await parley.app.inject({ url: '/api/auth/token', headers: { cookie } })).json().token
      }
      return result
    },
  })
  expect(await startDemand(slow)).toBe(true)
  expect(token).not.toBe('')
  const headers = { authorization: `Bearer ${token}` }
  await expect.poll(async () => (await parley.app.inject({ url: '/api/channels', headers })).statusCode).toBe(401)
})

test('open pages ask again when the demand starts, so that no bar remains', async () => {
  const parley = await startParley()
  await parley.person('ada')
  const { db } = parley.app
  const version = async () =>
    (await db.selectFrom('workspace').select('permissionsVersion').executeTakeFirstOrThrow()).permissionsVersion
  await db
    .updateTable('workspace')
    .set({ secondFactorAt: new Date(0).toISOString() })
    .execute()
  const before = await version()
  expect(await startDemand(db)).toBe(true)
  expect(await version()).not.toEqual(before)
})

test('whoever sets up a factor as the demand starts stays signed in', async () => {
  const parley = await startParley()
  const { ada, bob } = await parley.people('ada', 'bob')
  await turnOnFor(ada)
  const { db } = parley.app
  await db
    .updateTable('workspace')
    .set({ secondFactorAt: new Date(0).toISOString() })
    .execute()
  const bobsSession = db.selectFrom('sessions').select('id').where('userId', '=', bob.id)
  const starting = await db.transaction().execute(async (tx) => {
    // As turning it on does.
    await tx.selectFrom('sessions').select('id').where('userId', '=', bob.id).forUpdate().execute()
    await tx.updateTable('users').set({ twoFactorEnabled: true }).where('id', '=', bob.id).execute()
    const it = startDemand(db)
    await new Promise((r) => setTimeout(r, 500))
    return { it }
  })
  expect(await starting.it).toBe(true)
  expect(await bobsSession.execute()).toHaveLength(1)
})
