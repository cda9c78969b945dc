import { decodeJwt, exportJWK, generateKeyPair, SignJWT } from 'jose'
import { expect, test } from 'vitest'
import { transaction } from '../test/support/open-transactions.ts'
import { listen, type Person, startParley } from '../test/support/parley.ts'
import { DEVICE_COOKIE } from './device-secret.ts'

const parley = await startParley()
const { ada } = await parley.people('ada')

const auth = (path: string, payload: object, headers: Record<string, string> = {}) =>
  parley.app.inject({
    method: 'POST',
    url: `/api/auth${path}`,
    payload,
    headers: { origin: 'http://localhost', ...headers },
  })

const asking = (token: string) =>
  parley.app.inject({ url: '/api/channels', headers: { authorization: `Bearer ${token}` } })

test('the bearer token holds user, session and expiry, and nothing else about the person', () => {
  const claims = JSON.parse(Buffer.from(ada.token.split('.')[1] as string, 'base64url').toString())
  expect(claims).toEqual({
    sub: ada.id,
    sid: expect.any(String),
    exp: expect.any(Number),
    iss: 'parley',
    aud: 'parley',
  })
  expect(claims.exp - Date.now() / 1000).toBeGreaterThan(3500)
  expect(claims.exp - Date.now() / 1000).toBeLessThanOrEqual(3600)
})

test('the first user owns the workspace, later users are members', async () => {
  const bob = await parley.person('bob')
  const roleOf = async ({ cookie }: Person) =>
    (await parley.app.inject({ url: '/api/auth/get-session', headers: { cookie } })).json().user.role
  expect(await roleOf(ada)).toBe('owner')
  expect(await roleOf(bob)).toBe('member')
})

test('two concurrent first sign-ups create one owner', async () => {
  const fresh = await startParley()
  const people = await Promise.all(['mei', 'tomas', 'zoe'].map((name) => fresh.person(name)))
  const roles = await fresh.app.db.selectFrom('users').select('role').where('email', 'like', '%@example.com').execute()
  expect(roles.map(({ role }) => role).sort()).toEqual(['member', 'member', 'owner'])
  expect((await people[0]?.get('/api/channels'))?.body.channels[0]._count.members).toBe(3)
})

test('signing in works by e-mail and by username, in any case', async () => {
  expect((await auth('/sign-in/email', { email: ada.email, password: ada.password })).statusCode).toBe(200)
  expect((await auth('/sign-in/username', { username: 'ADA', password: ada.password })).statusCode).toBe(200)
  expect((await auth('/sign-in/username', { username: 'ada', password: 'wrong password' })).statusCode).toBe(401)
})

test.each(['ad', 'x'.repeat(31), 'a b', 'ad@', 'all', 'Here', 'assistant-bot', 'ädä', ''])(
  'the username %j is refused',
  async (username) => {
    const refused = await auth('/sign-up/email', {
      name: 'X',
      username,
      email: 'x@example.com',
      password: 'correct horse',
    })
    expect(refused.statusCode).toBe(400)
  },
)

test('usernames may contain dots, hyphens and underscores, and are unique regardless of case', async () => {
  const signUp = { name: 'X', username: 'a.b-c_d', email: 'abcd@example.com', password: 'correct horse' }
  expect((await auth('/sign-up/email', signUp)).statusCode).toBe(200)
  expect(
    (await auth('/sign-up/email', { ...signUp, username: 'A.B-C_D', email: 'other@example.com' })).json().code,
  ).toBe('USERNAME_IS_ALREADY_TAKEN')
})

test('a sign-up cannot choose the owner role', async () => {
  const mallory = { name: 'M', username: 'mallory', email: 'm@example.com', password: 'correct horse', role: 'owner' }
  await auth('/sign-up/email', mallory)
  const row = await parley.app.db
    .selectFrom('users')
    .select('role')
    .where('username', '=', 'mallory')
    .executeTakeFirst()
  expect(row?.role ?? 'member').toBe('member')
})

test('every invalid token is refused in the same way', async () => {
  const forged = (key: string) =>
    new SignJWT({ sid: 'x' })
      .setSubject(ada.id)
      .setExpirationTime('1h')
      .setIssuer('parley')
      .setAudience('parley')
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode(key))
  const [head, , signature] = ada.token.split('.')
  const otherClaims = Buffer.from(
    JSON.stringify({ sub: 'somebody', sid: 'x', exp: 9e9, iss: 'parley', aud: 'parley' }),
  ).toString('base64url')
  const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${otherClaims}.`
  for (const token of [
    'x',
    'a.b.c',
    unsigned,
    await forged('a key of 32 characters, not ours!'),
    `${head}.${otherClaims}.${signature}`,
    'x'.repeat(3000),
  ]) {
    const refused = await asking(token)
    expect([refused.statusCode, refused.json()]).toEqual([
      401,
      { error: { code: 'unauthenticated', reason: 'unauthenticated', message: 'Sign in to do this' } },
    ])
    await expect(listen(parley.address, token)).rejects.toThrow('unauthenticated')
  }
  expect((await parley.app.inject({ url: '/api/channels' })).statusCode).toBe(401)
  expect((await parley.app.inject({ url: `/api/channels?token=${ada.token}` })).statusCode).toBe(401)
  expect((await parley.app.inject({ url: '/api/channels', headers: { cookie: ada.cookie } })).statusCode).toBe(401)
})

test('signing out ends the token and the sockets of that session, and no others', async () => {
  const zoe = await parley.person('zoe')
  const other = await auth('/sign-in/email', { email: zoe.email, password: zoe.password })
  const otherCookie = other.cookies.map((it) => `${it.name}=${encodeURIComponent(it.value)}`).join('; ')
  const { token: otherToken } = (
    await parley.app.inject({ url: '/api/auth/token', headers: { cookie: otherCookie } })
  ).json()
  const [ended, stays] = [await zoe.listen(), await listen(parley.address, otherToken)]

  expect((await auth('/sign-out', {}, { cookie: zoe.cookie })).statusCode).toBe(200)
  await expect.poll(() => ended.socket.connected).toBe(false)
  expect((await asking(zoe.token)).statusCode).toBe(401)
  expect((await asking(otherToken)).statusCode).toBe(200)
  expect(stays.socket.connected).toBe(true)
})

test('a late response about an ended session cannot clear the cookie of the next one', async () => {
  const ivy = await parley.person('ivy')
  const cookie = `${ivy.cookie}; ${DEVICE_COOKIE}=any`
  const listener = await ivy.listen()
  const ended = await auth('/sign-out', { keepsCookie: true }, { cookie })
  expect([ended.statusCode, ended.json()]).toEqual([200, { success: true, redirectTo: null }])
  expect(ended.headers['set-cookie']).toBeUndefined()
  await expect.poll(() => listener.socket.connected).toBe(false)
  expect((await asking(ivy.token)).statusCode).toBe(401)

  const cleared = { name: 'parley.session_token', value: '', maxAge: 0 }
  for (const [path, status] of [
    ['get-session', 200],
    ['token', 401],
  ] as const) {
    const asked = await parley.app.inject({ url: `/api/auth/${path}`, headers: { cookie: ivy.cookie } })
    expect(asked.statusCode, path).toBe(status)
    expect(asked.cookies, path).not.toContainEqual(expect.objectContaining({ name: cleared.name }))
  }

  const last = await auth('/sign-out', {}, { cookie })
  expect(last.cookies).toContainEqual(expect.objectContaining(cleared))
  expect(last.cookies).toContainEqual(expect.objectContaining({ ...cleared, name: DEVICE_COOKIE }))
  expect((await auth('/sign-out', { keepsCookie: 'yes' }, { cookie })).statusCode).toBe(400)
})

test('a session that ended on another node ends here', async () => {
  const kim = await parley.person('kim')
  const listener = await kim.listen()
  await parley.app.db.deleteFrom('sessions').where('userId', '=', kim.id).execute()
  await expect.poll(() => listener.socket.connected).toBe(false)
  expect((await asking(kim.token)).statusCode).toBe(401)
})

test.each(['http://localhost:3000', 'http://127.0.0.1:3000', 'http://192.168.1.20:3000', 'https://chat.example.com'])(
  'a page served at %s may sign people in, a page elsewhere may not',
  async (origin) => {
    const { host } = new URL(origin)
    const body = { email: ada.email, password: ada.password }
    const cookie = 'x=1'
    expect((await auth('/sign-in/email', body, { host, origin, cookie })).statusCode).toBe(200)
    expect((await auth('/sign-in/email', body, { host, origin: 'http://evil.example', cookie })).statusCode).toBe(403)
  },
)

test('a page of another host cannot open a socket', async () => {
  const handshake = (origin: string) =>
    fetch(`${parley.address}/socket.io/?EIO=4&transport=polling`, { headers: { origin } }).then(({ status }) => status)
  expect(await handshake(parley.address)).toBe(200)
  expect(await handshake('http://evil.example')).toBe(403)
})

test('a socket whose token expires is notified and closed', async () => {
  const other = await startParley()
  // Adds a key of the test to the server's before it reads them, to sign a token that expires after a second.
  const { publicKey, privateKey } = await generateKeyPair('EdDSA', { crv: 'Ed25519', extractable: true })
  const jwk = JSON.stringify(await exportJWK(publicKey))
  await other.app.db
    .insertInto('signing_keys')
    .values({
      id: 'short',
      publicKey: jwk,
      privateKey: 'unused',
      alg: 'EdDSA',
      crv: 'Ed25519',
      createdAt: '2020-01-01',
    })
    .execute()
  const kim = await other.person('kim')
  const { sid } = decodeJwt(kim.token)
  const token = await new SignJWT({ sid })
    .setSubject(kim.id)
    .setExpirationTime('2s')
    .setIssuer('parley')
    .setAudience('parley')
    .setProtectedHeader({ alg: 'EdDSA', kid: 'short' })
    .sign(privateKey)
  const { socket, waitFor } = await listen(other.address, token)
  expect(await waitFor('auth:token_expired', () => true)).toEqual({})
  await expect.poll(() => socket.connected).toBe(false)
})

test('a deactivated user cannot sign in, even at the same moment, until reactivated', async () => {
  const lou = await parley.person('lou')
  const signIn = () => auth('/sign-in/email', { email: lou.email, password: lou.password })
  expect((await ada.put(`/api/users/${lou.id}/deactivation`, {})).status).toBe(204)
  const refused = await signIn()
  expect([refused.statusCode, refused.json().code]).toEqual([403, 'DEACTIVATED'])
  expect(refused.headers['set-cookie'] ?? '').not.toContain('session_token')
  const sessions = () => parley.app.db.selectFrom('sessions').select('id').where('userId', '=', lou.id).execute()
  expect(await sessions()).toEqual([])
  await ada.delete(`/api/users/${lou.id}/deactivation`)
  for (let round = 0; round < 5; round++) {
    await Promise.all([signIn(), ada.put(`/api/users/${lou.id}/deactivation`, {}), signIn(), signIn()])
    expect(await sessions()).toEqual([])
    await ada.delete(`/api/users/${lou.id}/deactivation`)
  }
  expect((await signIn()).statusCode).toBe(200)
})

test('while the database does not answer, signing out fails and keeps the session', async () => {
  const eve = await parley.person('eve')
  const signOut = () => auth('/sign-out', {}, { cookie: eve.cookie, host: 'localhost' })
  const lock = await transaction(parley.databaseUrl, ['lock table sessions in access exclusive mode'])
  const refused = await signOut()
  await lock.rollback()
  expect([refused.statusCode, refused.json().error.code, refused.headers['set-cookie']]).toEqual([
    503,
    'unavailable',
    undefined,
  ])
  expect((await signOut()).statusCode).toBe(200)
})
