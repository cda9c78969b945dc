import { decodeJwt, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { CLIENT, type StandIn, startProvider } from '../test/services/identity-provider.ts'
import { hostedSignIn } from '../test/services/provider-sign-in.ts'
import { openCookieClient } from '../test/support/cookie-client.ts'
import { type Person, startParley } from '../test/support/parley.ts'

let provider: StandIn
let parley: Awaited<ReturnType<typeof startParley>>
/** The workspace's owner, with a password. */
let root: Person
let begin: ReturnType<typeof hostedSignIn>['begin']
let signIn: ReturnType<typeof hostedSignIn>['signIn']

beforeAll(async () => {
  provider = await startProvider({
    'sub-mei': { email: 'mei@example.com', email_verified: true, name: 'Mei Lin', preferred_username: 'mei' },
    'sub-bare': { email: 'Bare.Foot+x@example.com', email_verified: false },
    'sub-odd': {
      email: 'odd@example.com',
      email_verified: true,
      preferred_username: 'Ödd Nàme!',
      name: 'x'.repeat(200),
    },
    'sub-all': { email: 'all@example.com', email_verified: true, preferred_username: 'all' },
    'sub-mail': { email: 'mail@example.com', email_verified: true, preferred_username: 'mail@corp.example' },
    'sub-poser': { email: 'poser@example.com', preferred_username: 'assistant-bot', name: 'Assistant' },
    'sub-assistant': { email: 'assistant-bot@parley.invalid', email_verified: true, preferred_username: 'bot' },
    'sub-nobody': { preferred_username: 'nobody' },
  })
  parley = await startParley(provider.settings)
  root = await parley.person('root')
  ;({ begin, signIn } = hostedSignIn(parley))
})
afterAll(() => provider.close())

const usersCalled = (username: string) =>
  parley.app.db.selectFrom('users').selectAll().where('username', '=', username).execute()

test('a user of the provider becomes the same user here at each sign-in', async () => {
  const first = await signIn('sub-mei', { callbackURL: '/channels/somewhere?message=1' })
  expect(first.path).toBe('/channels/somewhere?message=1')
  expect(first.me).toMatchObject({ username: 'mei', name: 'Mei Lin', email: 'mei@example.com', role: 'member' })
  const asToken = await first.surfer.ask(`${parley.address}/api/auth/token`)
  const { token } = (await asToken.json()) as { token: string }
  expect(decodeJwt(token).sub).toBe(first.me.id)
  const asked = await parley.app.inject({ url: '/api/channels', headers: { authorization: `Bearer ${token}` } })
  expect(asked.json().channels[0]).toMatchObject({ name: 'general', isMember: true })
  const again = await signIn('sub-mei')
  expect(again.me.id).toBe(first.me.id)
  const kept = await parley.app.db.selectFrom('accounts').selectAll().where('userId', '=', first.me.id).execute()
  expect(kept).toMatchObject([{ accountId: `${provider.issuer}|sub-mei`, accessToken: null, idToken: null }])
})

test('nobody can sign in as the assistant or with its name, whatever the provider claims', async () => {
  const { me } = await signIn('sub-poser')
  expect(me).toMatchObject({ username: 'person', name: 'person' })
  const taken = await signIn('sub-assistant')
  expect(taken.error).toBeTruthy()
  expect(taken.me).toBeUndefined()
})

test('the provider is asked for a code with PKCE, state and nonce', async () => {
  const { url } = await begin()
  const asked = Object.fromEntries(new URL(url).searchParams)
  expect(asked).toMatchObject({
    response_type: 'code',
    client_id: CLIENT.clientId,
    code_challenge_method: 'S256',
    scope: 'openid email profile',
    redirect_uri: `${parley.address}/api/auth/callback/oidc`,
  })
  for (const secret of ['state', 'nonce', 'code_challenge'] as const) expect(asked[secret]?.length).toBeGreaterThan(30)
})

test.each([
  ['sub-bare', 'bare.foot-x'],
  ['sub-odd', 'odd-name'],
  ['sub-all', 'all-2'],
  ['sub-mail', 'mail'],
])('%s gets the username %s', async (sub, username) => {
  const { me } = await signIn(sub)
  expect(me.username).toBe(username)
  expect(me.name.length).toBeLessThanOrEqual(80)
})

test('a username already taken gets a number', async () => {
  provider.people['sub-root'] = { email: 'other.root@example.com', email_verified: true, preferred_username: 'Root' }
  expect((await signIn('sub-root')).me.username).toBe('root-2')
})

test('a verified address signs in to its account, and a person who registered it unverified loses access', async () => {
  const kim = await parley.person('kim')
  const listening = await kim.listen()
  provider.people['sub-kim'] = { email: 'KIM@example.com', email_verified: true, name: 'Kim', preferred_username: 'k' }
  const { me } = await signIn('sub-kim')
  expect(me).toMatchObject({ id: kim.id, username: 'kim', emailVerified: true })
  await expect.poll(() => listening.socket.connected).toBe(false)
  expect((await kim.get('/api/channels')).status).toBe(401)
  const password = await openCookieClient().post(`${parley.address}/api/auth/sign-in/username`, {
    username: 'kim',
    password: kim.password,
  })
  expect(password.status).toBe(401)
  expect((await signIn('sub-kim')).me.id).toBe(kim.id)
})

test('an unverified address signs in to no existing account', async () => {
  const lou = await parley.person('lou')
  for (const email_verified of [false, undefined]) {
    provider.people['sub-lou'] = { email: 'lou@example.com', ...(email_verified === false && { email_verified }) }
    const { error, me } = await signIn('sub-lou')
    expect([error, me]).toEqual(['account_not_linked', undefined])
  }
  expect((await lou.get('/api/channels')).status).toBe(200)
})

test('the first person to register an unverified address loses access', async () => {
  provider.people['sub-early'] = { email: 'late@example.com', email_verified: false, preferred_username: 'early' }
  const early = await signIn('sub-early')
  provider.people['sub-late'] = { email: 'late@example.com', email_verified: true, preferred_username: 'late' }
  expect((await signIn('sub-late')).me.id).toBe(early.me.id)
  expect(await (await early.surfer.ask(`${parley.address}/api/auth/get-session`)).json()).toBe(null)
  expect(await signIn('sub-early')).toMatchObject({ error: 'account_not_linked', me: undefined })
})

test('a provider account without an address cannot sign in', async () => {
  expect(await signIn('sub-nobody')).toMatchObject({ error: 'email_not_found', me: undefined })
  expect(await usersCalled('nobody')).toEqual([])
})

test('a deactivated user cannot sign in through the provider', async () => {
  const { me } = await signIn('sub-mail')
  await root.put(`/api/users/${me.id}/deactivation`, {})
  expect(await signIn('sub-mail')).toMatchObject({ error: 'DEACTIVATED', me: undefined })
})

test('a missing or used state, or one of another browser, is refused', async () => {
  const isCallback = (it: string) => it.includes('/api/auth/callback/')
  const victim = openCookieClient()
  const attacker = await begin()
  const stolen = await attacker.surfer.follow(attacker.url, 'sub-mei', isCallback)
  const own = await begin({ surfer: victim })
  const mine = await victim.follow(own.url, 'sub-mei', isCallback)
  const tampered = (url: string, change: (params: URLSearchParams) => void) => {
    const copy = new URL(url)
    change(copy.searchParams)
    return copy.href
  }
  for (const url of [
    stolen,
    tampered(mine, (it) => it.delete('state')),
    tampered(mine, (it) => it.set('state', 'x'.repeat(32))),
    tampered(mine, (it) => it.set('state', new URL(stolen).searchParams.get('state') ?? '')),
    tampered(mine, (it) => it.set('iss', 'http://evil.example')),
  ]) {
    const answer = await victim.ask(url)
    expect(answer.headers.get('location'), url).toMatch(/^\/sign-in\?error=/)
  }
  const fresh = await begin({ surfer: victim })
  const good = await victim.follow(fresh.url, 'sub-mei', isCallback)
  expect((await victim.ask(good)).headers.get('location')).toBe('/dashboard')
  expect((await victim.ask(good)).headers.get('location')).toMatch(/^\/sign-in\?error=/)
})

test('signing in never redirects to another host', async () => {
  for (const callbackURL of [
    'https://evil.example/',
    '//evil.example',
    '/\\evil.example',
    '/%2f/evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
  ])
    for (const field of ['callbackURL', 'errorCallbackURL'])
      expect((await begin({ [field]: callbackURL })).status, callbackURL).toBe(403)
})

/** Signs an id token with any key and claims. */
const forged =
  (change: (claims: Record<string, unknown>) => object, by: { key?: unknown; alg?: string; kid?: string } = {}) =>
  async (answer: Record<string, unknown>) => {
    const { kid, privateKey } = provider.key()
    const claims = { ...decodeJwt(String(answer['id_token'])), ...change(decodeJwt(String(answer['id_token']))) }
    const token = new SignJWT(claims).setProtectedHeader({ alg: by.alg ?? 'RS256', kid: by.kid ?? kid })
    return { ...answer, id_token: await token.sign((by.key ?? privateKey) as Parameters<typeof token.sign>[0]) }
  }

test('an id token for another request, issuer or audience is refused', async () => {
  const stranger = (await generateKeyPair('RS256')).privateKey
  const now = Math.floor(Date.now() / 1000)
  const unsigned = async (answer: Record<string, unknown>) => {
    const [, payload] = String(answer['id_token']).split('.')
    return { ...answer, id_token: `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.` }
  }
  const forgeries: Record<string, NonNullable<Parameters<StandIn['setForge']>[0]>> = {
    'another nonce': forged(() => ({ nonce: 'another' })),
    'no nonce': forged(() => ({ nonce: undefined })),
    'another issuer': forged(() => ({ iss: 'http://evil.example' })),
    'another client': forged(() => ({ aud: 'somebody-else' })),
    'given to another client': forged(() => ({ aud: [CLIENT.clientId, 'other'], azp: 'other' })),
    expired: forged(() => ({ iat: now - 7200, exp: now - 3600 })),
    'another key': forged(() => ({}), { key: stranger }),
    'another key under another name': forged(() => ({}), { key: stranger, kid: 'unknown' }),
    'the client’s secret as key': forged(() => ({}), {
      key: new TextEncoder().encode(CLIENT.clientSecret),
      alg: 'HS256',
    }),
    'no signature': unsigned,
    'no token': async ({ id_token: _, ...answer }) => answer,
  }
  provider.people['sub-forged'] = { email: 'forged@example.com', email_verified: true, preferred_username: 'forged' }
  for (const [name, forge] of Object.entries(forgeries)) {
    provider.setForge(forge)
    const { error, me } = await signIn('sub-forged')
    expect([name, error, me]).toEqual([name, 'unable_to_get_user_info', undefined])
  }
  provider.setForge(undefined)
  expect(await usersCalled('forged')).toEqual([])
  expect((await signIn('sub-forged')).me.username).toBe('forged')
})

test('with an unreachable provider new sign-ins fail with one sentence and sessions continue, until it recovers', async () => {
  const at = await startParley(provider.settings)
  const ada = await at.person('ada')
  const { socket } = await ada.listen()
  provider.setAway(true)
  expect(await begin({ at })).toMatchObject({
    status: 503,
    body: { code: 'PROVIDER_AWAY', message: "Example ID isn't responding. Try again in a moment." },
  })
  expect((await ada.get('/api/channels')).status).toBe(200)
  expect((await at.app.inject({ url: '/api/auth/token', headers: { cookie: ada.cookie } })).statusCode).toBe(200)
  expect(socket.connected).toBe(true)
  provider.setAway(false)
  expect((await signIn('sub-mei', { at })).me.username).toBe('mei')

  // The provider goes down while a user is on its page.
  const { url, surfer } = await begin({ at })
  const back = await surfer.follow(url, 'sub-mei', (it) => it.includes('/api/auth/callback/'))
  provider.setAway(true)
  expect((await surfer.ask(back)).headers.get('location')).toMatch(/^\/sign-in\?error=/)
  provider.setAway(false)
  expect(await (await surfer.ask(`${at.address}/api/auth/get-session`)).json()).toBe(null)
})

test('rotated provider keys are fetched once more, and unknown keys cause no flood of requests', async () => {
  const at = await startParley(provider.settings)
  await signIn('sub-mei', { at })
  const questions = () => provider.requests.filter((path) => path === '/jwks').length
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    await provider.rotate()
    vi.setSystemTime(Date.now() + 31_000)
    const before = questions()
    expect((await signIn('sub-mei', { at })).me.username).toBe('mei')
    expect(questions() - before).toBe(1)
    const stranger = (await generateKeyPair('RS256')).privateKey
    for (let n = 0; n < 8; n++) {
      provider.setForge(forged(() => ({}), { key: stranger, kid: `unknown-${n}` }))
      expect((await signIn('sub-mei', { at })).error).toBe('unable_to_get_user_info')
    }
    expect(questions() - before).toBe(1)
  } finally {
    provider.setForge(undefined)
    vi.useRealTimers()
  }
})
