import { randomUUID } from 'node:crypto'
import { generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { CLIENT, type StandIn, startProvider } from '../test/services/identity-provider.ts'
import { hostedSignIn } from '../test/services/provider-sign-in.ts'
import type { openCookieClient } from '../test/support/cookie-client.ts'
import { listen, serve, startParley, untilPeers } from '../test/support/parley.ts'

// Signing out at the provider ends the sessions here, on every node; forged logout tokens don't.

let provider: StandIn
let parley: Awaited<ReturnType<typeof startParley>>
let other: Awaited<ReturnType<typeof serve>>
let signIn: ReturnType<typeof hostedSignIn>['signIn']

beforeAll(async () => {
  provider = await startProvider()
  for (const name of ['ada', 'bob', 'eve'])
    provider.people[name] = { email: `${name}@example.com`, email_verified: true, preferred_username: name }
  parley = await startParley(provider.settings)
  other = await serve(parley.databaseUrl, provider.settings)
  await untilPeers(parley, other)
  provider.setLogoutUri(`${parley.address}/api/auth/backchannel-logout`)
  await provider.rotate()
  await parley.person('olga')
  ;({ signIn } = hostedSignIn(parley))
})
afterAll(() => provider.close())

type Surfer = ReturnType<typeof openCookieClient>
const tokenOf = async (surfer: Surfer) =>
  ((await (await surfer.ask(`${parley.address}/api/auth/token`)).json()) as { token?: string }).token
const isSignedIn = async (surfer: Surfer) =>
  (await (await surfer.ask(`${parley.address}/api/auth/get-session`)).json()) !== null
const sidOf = async (userId: string) =>
  (
    await parley.app.db
      .selectFrom('sessions')
      .select('providerSid')
      .where('userId', '=', userId)
      .orderBy('createdAt', 'desc')
      .executeTakeFirstOrThrow()
  ).providerSid as string

const EVENT = { 'http://schemas.openid.net/event/backchannel-logout': {} }
const now = () => Math.floor(Date.now() / 1000)

/** A logout token as sent by the provider, except for some claims. */
function logoutToken(claims: object, by: { key?: unknown; alg?: string; kid?: string } = {}) {
  const { kid, privateKey } = provider.key()
  const usual = { iss: provider.issuer, aud: CLIENT.clientId, iat: now(), exp: now() + 120, jti: randomUUID() }
  const token = new SignJWT({ ...usual, events: EVENT, ...claims })
  token.setProtectedHeader({ alg: by.alg ?? 'RS256', kid: by.kid ?? kid, typ: 'logout+jwt' })
  return token.sign((by.key ?? privateKey) as Parameters<typeof token.sign>[0])
}
const post = async (token: string, { address }: { address: string } = parley) => {
  const answer = await fetch(`${address}/api/auth/backchannel-logout`, {
    method: 'POST',
    body: new URLSearchParams({ logout_token: token }),
  })
  return { status: answer.status, cache: answer.headers.get('cache-control'), text: await answer.text() }
}

test('signing out at the provider signs a person out here, on every node', async () => {
  const { surfer, me } = await signIn('ada')
  const elsewhere = await signIn('bob')
  const { socket } = await listen(other.address, (await tokenOf(surfer)) as string)
  const told = await post(await logoutToken({ sub: 'ada', sid: await sidOf(me.id) }))
  expect(told.status).toBe(200)
  await expect.poll(() => isSignedIn(surfer)).toBe(false)
  await expect.poll(() => socket.connected).toBe(false)
  expect(await isSignedIn(elsewhere.surfer)).toBe(true)
  const line = parley.app.db.selectFrom('audit_log').select(['actorId', 'personId', 'details'])
  await expect
    .poll(() => line.where('kind', '=', 'provider_signed_out').execute())
    .toEqual([{ actorId: null, personId: me.id, details: { count: 1 } }])
})

test('a logout ends one session or all of a person, except those with a password', async () => {
  const first = await signIn('ada')
  const firstSid = await sidOf(first.me.id)
  const second = await signIn('ada')
  expect(await sidOf(first.me.id)).not.toBe(firstSid)
  expect(await post(await logoutToken({ sub: 'ada', sid: firstSid }), other)).toMatchObject({
    status: 200,
    cache: 'no-store',
  })
  expect([await isSignedIn(first.surfer), await isSignedIn(second.surfer)]).toEqual([false, true])
  const password = await parley.person('pat')
  await parley.app.db
    .insertInto('accounts')
    .values({ id: randomUUID(), userId: password.id, providerId: 'oidc', accountId: `${provider.issuer}|pat` })
    .execute()
  expect((await post(await logoutToken({ sub: 'pat' }))).status).toBe(200)
  expect((await password.get('/api/channels')).status).toBe(200)
  expect((await post(await logoutToken({ sub: 'ada' }))).status).toBe(200)
  expect(await isSignedIn(second.surfer)).toBe(false)
})

test('nobody can end somebody else’s session', async () => {
  const { surfer, me } = await signIn('ada')
  const sid = await sidOf(me.id)
  const stranger = (await generateKeyPair('RS256')).privateKey
  const good = { sub: 'ada', sid }
  const [, payload] = (await logoutToken(good)).split('.')
  const forged = {
    'no signature': `${Buffer.from('{"alg":"none","typ":"logout+jwt"}').toString('base64url')}.${payload}.`,
    'another key': await logoutToken(good, { key: stranger }),
    'the client’s secret as key': await logoutToken(good, {
      key: new TextEncoder().encode(CLIENT.clientSecret),
      alg: 'HS256',
    }),
    'another client': await logoutToken({ ...good, aud: 'somebody-else' }),
    'another issuer': await logoutToken({ ...good, iss: 'http://evil.example' }),
    'an id token': await logoutToken({ ...good, nonce: 'n', events: undefined }),
    'a nonce': await logoutToken({ ...good, nonce: 'n' }),
    'another event': await logoutToken({ ...good, events: { 'urn:other': {} } }),
    'an event that is no object': await logoutToken({ ...good, events: Object.keys(EVENT) }),
    nobody: await logoutToken({}),
    'no id': await logoutToken({ ...good, jti: undefined }),
    'an id that is no text': await logoutToken({ ...good, jti: 7 }),
    expired: await logoutToken({ ...good, exp: now() - 120 }),
    'an old one': await logoutToken({ ...good, iat: now() - 3600 }),
    nonsense: 'a.b.c',
    nothing: '',
  }
  for (const [name, token] of Object.entries(forged)) {
    const { status, text } = await post(token)
    expect([name, status, JSON.parse(text).error]).toEqual([name, 400, 'invalid_request'])
  }
  // Eve's own sign-out, with the id of a session that isn't hers.
  expect((await post(await logoutToken({ sub: 'eve', sid }))).status).toBe(200)
  expect(await isSignedIn(surfer)).toBe(true)
})

test('a token can be used once, even on another node', async () => {
  const token = await logoutToken({ sub: 'ada' })
  const answers = await Promise.all([post(token), post(token, other)])
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
  const { surfer } = await signIn('ada')
  expect((await post(token, other)).status).toBe(400)
  expect(await isSignedIn(surfer)).toBe(true)
})

test('invalid bodies are refused, and without a provider the path does not exist', async () => {
  const url = `${parley.address}/api/auth/backchannel-logout`
  expect((await fetch(url, { method: 'POST', body: new URLSearchParams({ other: 'x' }) })).status).toBe(400)
  expect(
    (await fetch(url, { method: 'POST', body: new URLSearchParams({ logout_token: 'x'.repeat(20_000) }) })).status,
  ).toBe(413)
  const at = await startParley()
  expect((await post('a.b.c', at)).status).toBe(404)
})
