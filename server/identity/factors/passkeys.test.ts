import { expect, test } from 'vitest'
import { createAuthenticator } from '../../test/support/authenticator.ts'
import { openCookieClient } from '../../test/support/cookie-client.ts'
import { type Person, serve, startParley } from '../../test/support/parley.ts'

const parley = await startParley()
const { ada } = await parley.people('ada')
const { db } = parley.app
/** The origin of injected requests. */
const ORIGIN = 'http://localhost'
let made = 0
const somebody = () => parley.person(`somebody-${made++}`)

const begin = async (person: Person) =>
  (await person.post('/api/passkeys/setup', { password: person.password })).body as {
    challenge: string
    rp: { id: string }
  }

async function addTo(person: Person, name = 'Phone') {
  const passkey = createAuthenticator()
  const response = passkey.create(await begin(person), { origin: ORIGIN })
  const { status, body } = await person.post('/api/passkeys', { name, response })
  expect(status).toBe(201)
  return { ...passkey, row: body as { id: string } }
}

type Authenticator = ReturnType<typeof createAuthenticator>

type Asked = Parameters<Authenticator['get']>[0]

/** Signs in on a page in a fresh browser. */
async function signIn({ get }: Authenticator, page: Parameters<Authenticator['get']>[1] & { at?: string }) {
  const client = openCookieClient()
  const at = page.at ?? page.origin
  const headers = { origin: page.origin, 'content-type': 'application/json' }
  const asked = await client.ask(`${at}/api/auth/passkey/generate-authenticate-options`, { headers })
  const options = (await asked.json()) as Asked
  const body = JSON.stringify({ response: get(options, page) })
  const url = `${at}/api/auth/passkey/verify-authentication`
  const answer = await client.ask(url, { method: 'POST', headers, body })
  return { status: answer.status, body: await answer.json(), options, client }
}
const page = () => ({ origin: parley.address.replace('127.0.0.1', 'localhost') })

const kindsOf = async ({ id }: Person) =>
  (
    await db.selectFrom('audit_log').select(['kind', 'details']).where('actorId', '=', id).orderBy('id').execute()
  ).slice(1)

test('a passkey is added with the password, signs in without one, and is renamed and removed', async () => {
  const bob = await somebody()
  expect(await bob.post('/api/passkeys/setup', { password: 'not the right one' })).toMatchObject({ status: 400 })
  const { row, ...passkey } = await addTo(bob)
  expect((await bob.get('/api/passkeys')).body).toEqual([
    { id: row.id, name: 'Phone', createdAt: expect.any(String), lastUsedAt: null },
  ])

  const { status, body, client } = await signIn(passkey, page())
  expect(status).toBe(200)
  expect(body).toEqual({ user: expect.objectContaining({ username: bob.username }) })
  const session = await client.ask(`${page().origin}/api/auth/get-session`)
  expect(await session.json()).toMatchObject({ user: { id: bob.id } })
  expect((await bob.get('/api/passkeys')).body[0].lastUsedAt).toEqual(expect.any(String))

  expect((await bob.patch(`/api/passkeys/${row.id}`, { name: 'Old phone' })).body.name).toBe('Old phone')
  expect((await bob.delete(`/api/passkeys/${row.id}`)).status).toBe(204)
  expect(await signIn(passkey, page())).toMatchObject({ status: 401, body: { code: 'PASSKEY_NOT_FOUND' } })
  expect(await kindsOf(bob)).toEqual([
    { kind: 'signed_in', details: { by: 'password' } },
    { kind: 'passkey_added', details: {} },
    { kind: 'signed_in', details: { by: 'passkey' } },
    { kind: 'passkey_removed', details: {} },
  ])
})

test('others can neither see, rename nor remove it', async () => {
  const [bob, eve] = [await somebody(), await somebody()]
  const { row } = await addTo(bob)
  expect((await eve.get('/api/passkeys')).body).toEqual([])
  expect((await eve.patch(`/api/passkeys/${row.id}`, { name: 'Mine' })).status).toBe(404)
  expect((await eve.delete(`/api/passkeys/${row.id}`)).status).toBe(404)
  expect((await bob.get('/api/passkeys')).body[0].name).toBe('Phone')
})

test('only the answer to an own, recent challenge adds one, and only once', async () => {
  const [bob, eve] = [await somebody(), await somebody()]
  const first = createAuthenticator()
  const options = await begin(bob)
  const response = first.create(options, { origin: ORIGIN })
  expect(await eve.post('/api/passkeys', { name: 'Phone', response })).toMatchObject({ code: 'passkey_setup_ended' })
  await begin(eve)
  expect((await eve.post('/api/passkeys', { name: 'Phone', response })).status).toBe(400)
  expect((await bob.post('/api/passkeys', { name: 'Phone', response })).status).toBe(201)
  expect((await bob.post('/api/passkeys', { name: 'Phone', response })).status).toBe(409)

  // The same key again, another one without user verification, and one from a page of another host.
  const again = first.create(await begin(eve), { origin: ORIGIN })
  expect((await eve.post('/api/passkeys', { name: 'Phone', response: again })).status).toBe(400)
  for (const page of [{ origin: ORIGIN, verifies: false }, { origin: 'http://parley.evil.example' }]) {
    const refused = createAuthenticator().create(await begin(eve), page)
    expect((await eve.post('/api/passkeys', { name: 'Phone', response: refused })).status).toBe(400)
  }
  await begin(eve)
  for (const nonsense of [{}, { id: 'x' }, { id: 1, response: { attestationObject: 'AAAA', clientDataJSON: '' } }])
    expect((await eve.post('/api/passkeys', { name: 'Phone', response: nonsense })).status).toBeGreaterThanOrEqual(400)
  expect((await eve.get('/api/passkeys')).body).toEqual([])
})

test('a passkey signs in only on pages of its own host, and only with user verification', async () => {
  const bob = await somebody()
  const passkey = await addTo(bob)
  expect((await signIn(passkey, { ...page(), verifies: false })).status).toBe(401)
  // The page of another host relays the response.
  const { origin } = page()
  const client = openCookieClient()
  const headers = { origin, 'content-type': 'application/json' }
  const ask = await client.ask(`${origin}/api/auth/passkey/generate-authenticate-options`, { headers })
  const response = passkey.get((await ask.json()) as Asked, { origin: 'http://parley.evil.example' })
  const url = `${origin}/api/auth/passkey/verify-authentication`
  const relayed = await client.ask(url, { method: 'POST', headers, body: JSON.stringify({ response }) })
  expect(relayed.status).toBeGreaterThanOrEqual(400)
  expect((await signIn(passkey, page())).status).toBe(200)
  const refused = await db.selectFrom('audit_log').select('personId').where('kind', '=', 'sign_in_refused').execute()
  expect(refused.map(({ personId }) => personId)).toContain(bob.id)
})

test('it needs no code from an app, and is removed by a link that removes the second factor', async () => {
  const bob = await somebody()
  const passkey = await addTo(bob)
  await db.updateTable('users').set({ twoFactorEnabled: true }).where('id', '=', bob.id).execute()
  expect((await signIn(passkey, page())).status).toBe(200)
  const { code } = (await ada.post(`/api/users/${bob.id}/password-reset`, { endsSecondFactor: true })).body
  const payload = { code, new: 'a better battery' }
  await parley.app.inject({ method: 'POST', url: '/api/auth/password-reset', payload })
  expect((await signIn(passkey, page())).status).toBe(401)
})

test('a deactivated person cannot sign in with it', async () => {
  const bob = await somebody()
  const passkey = await addTo(bob)
  await ada.put(`/api/users/${bob.id}/deactivation`, {})
  expect((await signIn(passkey, page())).status).toBe(403)
})

test('with PUBLIC_URL, passkeys belong to its host whichever name a request was sent to', async () => {
  const node = await serve(parley.databaseUrl, { PUBLIC_URL: 'https://chat.example.com' })
  const origin = 'https://chat.example.com'
  const bob = await somebody()
  const inject = (url: string, payload: object) =>
    node.app.inject({ method: 'POST', url, payload, headers: { authorization: `Bearer ${bob.token}` } })
  const options = (await inject('/api/passkeys/setup', { password: bob.password })).json()
  expect(options.rp).toEqual({ name: 'Parley', id: 'chat.example.com' })
  const passkey = createAuthenticator()
  const response = passkey.create(options, { origin })
  expect((await inject('/api/passkeys', { name: 'Phone', response })).statusCode).toBe(201)
  const { status, options: asked } = await signIn(passkey, { origin, at: node.address })
  expect(asked.rpId).toBe('chat.example.com')
  expect(status).toBe(200)
})
