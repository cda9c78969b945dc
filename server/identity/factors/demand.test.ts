import { expect, test } from 'vitest'
import { appFor, createAuthenticator } from '../../test/support/authenticator.ts'
import { listen, type Person, startParley } from '../../test/support/parley.ts'

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
  expect((await ada.get('/api/workspace/second-factor')).body).toEqual({ isDemanded: false, without: 2 })
  await turnOnFor(ada)
  expect((await demand(ada)).status).toBe(204)
  expect((await ada.get('/api/workspace/second-factor')).body).toEqual({ isDemanded: true, without: 1 })
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
