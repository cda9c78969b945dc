import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SignOutAnswer } from '#contract/identity'
import { CLIENT, type StandIn, startProvider } from '../test/services/identity-provider.ts'
import { hostedSignIn } from '../test/services/provider-sign-in.ts'
import { openCookieClient } from '../test/support/cookie-client.ts'
import { serve, startParley } from '../test/support/parley.ts'

// Signing out of Parley also signs out of the hosted provider, so that nobody else can sign in with one click.

let provider: StandIn
let parley: Awaited<ReturnType<typeof startParley>>
let begin: ReturnType<typeof hostedSignIn>['begin']
let signIn: ReturnType<typeof hostedSignIn>['signIn']

beforeAll(async () => {
  provider = await startProvider({
    'sub-mei': { email: 'mei@example.com', email_verified: true, preferred_username: 'mei' },
    'sub-ada': { email: 'ada@example.com', email_verified: true, preferred_username: 'ada' },
  })
  parley = await startParley(provider.settings)
  ;({ begin, signIn } = hostedSignIn(parley))
})
afterAll(() => provider.close())

type Surfer = ReturnType<typeof openCookieClient>

async function signOut(surfer: Surfer, address = parley.address) {
  const answer = await surfer.post(`${address}/api/auth/sign-out`, {})
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as SignOutAnswer }
}

/** The username of the current session. */
async function whoIs(surfer: Surfer, address = parley.address) {
  const answer = await surfer.ask(`${address}/api/auth/get-session`)
  return ((await answer.json()) as { user: { username: string } } | null)?.user.username
}

/** Whether the provider asks for credentials. */
async function isAsked(surfer: Surfer) {
  const before = provider.requests.length
  await surfer.follow((await begin({ surfer })).url, 'sub-mei', (it) => it.includes('/api/auth/callback/'))
  return provider.requests.slice(before).some((path) => path.startsWith('/interaction/'))
}

test('signing out goes through the provider, which ends its session and redirects back', async () => {
  const { surfer } = await signIn('sub-mei')
  expect(await isAsked(surfer)).toBe(false)
  const { status, body } = await signOut(surfer)
  expect([status, body.success]).toEqual([200, true])
  const url = new URL(body.redirectTo as string)
  expect(url.origin).toBe(provider.issuer)
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: CLIENT.clientId,
    id_token_hint: expect.any(String),
    post_logout_redirect_uri: `${parley.address}/sign-in`,
  })
  expect(decodeJwt(url.searchParams.get('id_token_hint') ?? '').sub).toBe('sub-mei')

  const page = await (await surfer.ask(url.href)).text()
  const [, action = ''] = /action="([^"]*)"/.exec(page) ?? []
  const [, xsrf = ''] = /name="xsrf" value="([^"]*)"/.exec(page) ?? []
  const confirmed = await surfer.ask(action, { method: 'POST', body: new URLSearchParams({ xsrf, logout: 'yes' }) })
  expect(confirmed.headers.get('location')).toBe(`${parley.address}/sign-in`)
  expect(await isAsked(surfer)).toBe(true)
})

test('the session here ends first, and signing out again does not redirect', async () => {
  const { surfer, me } = await signIn('sub-mei')
  const kept = new Map(surfer.jarOf(parley.address))
  expect((await signOut(surfer)).body.redirectTo).not.toBe(null)
  const sessions = parley.app.db.selectFrom('sessions').select('id').where('userId', '=', me.id)
  expect(await sessions.execute()).toEqual([])
  for (const [name, value] of kept) surfer.jarOf(parley.address).set(name, value)
  expect((await signOut(surfer)).body).toEqual({ success: true, redirectTo: null })
  expect((await signOut(openCookieClient())).body).toEqual({ success: true, redirectTo: null })
})

test('a user who signed in with a password stays signed in at the provider', async () => {
  const person = await parley.person('pat')
  const surfer = openCookieClient()
  await surfer.post(`${parley.address}/api/auth/sign-in/email`, person)
  expect((await signOut(surfer)).body).toEqual({ success: true, redirectTo: null })
})

test('a page of another host cannot sign anyone out', async () => {
  const { surfer, me } = await signIn('sub-mei')
  const answer = await surfer.ask(`${parley.address}/api/auth/sign-out`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'http://evil.example' },
    body: '{}',
  })
  expect(answer.status).toBe(403)
  expect(await whoIs(surfer)).toBe(me.username)
})

test('signing out works while the provider is unreachable', async () => {
  const at = await startParley(provider.settings)
  await at.person('root')
  const { surfer } = await signIn('sub-ada', { at })
  // A server that has not fetched the discovery document yet.
  const fresh = await serve(at.databaseUrl, provider.settings)
  for (const [name, value] of surfer.jarOf(at.address)) surfer.jarOf(fresh.address).set(name, value)
  provider.setAway(true)
  expect((await signOut(surfer, fresh.address)).body).toEqual({ success: true, redirectTo: null })
  provider.setAway(false)
  expect(await whoIs(surfer, at.address)).toBe(undefined)
})

test('signing out is not reported as done while the database does not answer', async () => {
  const at = await startParley()
  const kim = await at.person('kim')
  const surfer = openCookieClient()
  await surfer.post(`${at.address}/api/auth/sign-in/email`, kim)
  const { db } = at.app
  await db.schema.alterTable('sessions').renameTo('elsewhere').execute()
  const answer = await signOut(surfer, at.address)
  expect(answer.status).toBeGreaterThanOrEqual(500)
  expect(answer.headers.getSetCookie()).toEqual([])
  await db.schema.alterTable('elsewhere').renameTo('sessions').execute()
  expect(await whoIs(surfer, at.address)).toBe('kim')
})

test('signing out clears the browser’s site data', async () => {
  const surfer = openCookieClient()
  await surfer.post(`${parley.address}/api/auth/sign-in/email`, await parley.person('zoe'))
  expect((await signOut(surfer)).headers.get('clear-site-data')).toBe('"cache"')
})
