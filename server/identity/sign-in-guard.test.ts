import { createHash, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { serve, startParley } from '../test/support/parley.ts'

// Protections of sign-in: attempts, addresses, cookies, origins, headers.

type Server = Pick<Awaited<ReturnType<typeof startParley>>, 'app'>

const open = await startParley()
const { ada } = await open.people('ada')

const LIMITED = { RATE_LIMIT: 'on' }
const PROXIED = { ...LIMITED, TRUST_PROXY: 'loopback' }

/** Runs a second server of the same workspace for one action, and closes it to free its connections. */
async function on(settings: Record<string, string>, act: (server: Server) => Promise<void>) {
  const server = await serve(open.databaseUrl, settings)
  await forget()
  await act(server).finally(() => server.app.close())
}

const post = ({ app }: Server, path: string, payload: object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: `/api/auth${path}`, payload, headers })
/** Refused before a password is hashed, but counted as an attempt. */
const wrong = () => ({ email: 'no address', password: 'x' })
const forget = () => open.app.db.deleteFrom('tries').execute()
const count = (answers: { statusCode: number }[], status: number) =>
  answers.filter(({ statusCode }) => statusCode === status).length
type Answer = Awaited<ReturnType<typeof post>>

/** Sends requests concurrently. Repeats those that time out on a busy machine, which may have been counted anyway. */
async function sendAll(size: number, send: (n: number) => Promise<Answer>) {
  let gaveUp = 0
  const sendOne = async (n: number): Promise<Answer> => {
    const answer = await send(n)
    if (answer.statusCode !== 503) return answer
    gaveUp++
    return sendOne(n)
  }
  return { answers: await Promise.all(Array.from({ length: size }, (_, n) => sendOne(n))), gaveUp: () => gaveUp }
}

/** Expects `limit` requests to get this status, and the others to be refused. */
function expectLimit({ answers, gaveUp }: Awaited<ReturnType<typeof sendAll>>, limit: number, status: number) {
  const passed = count(answers, status)
  expect(passed + count(answers, 429)).toBe(answers.length)
  expect(passed).toBeLessThanOrEqual(limit)
  expect(passed).toBeGreaterThanOrEqual(limit - gaveUp())
}

test('twenty of two hundred parallel sign-in attempts from one address are checked, whatever headers the client sends', () =>
  on(LIMITED, async (limited) => {
    const spoofed = (n: number) => ({
      'x-forwarded-for': `203.0.113.${n}`,
      forwarded: `for=203.0.113.${n}`,
      'x-real-ip': `203.0.113.${n}`,
      'x-parley-client': `203.0.113.${n}`,
      'x-user-id': ada.id,
    })
    const sent = await sendAll(200, (n) => post(limited, '/sign-in/email', wrong(), spoofed(n)))
    expectLimit(sent, 20, 400)
    const refused = sent.answers.find(({ statusCode }) => statusCode === 429)
    expect(Number(refused?.headers['retry-after'])).toBeGreaterThan(0)
    expect((await post(limited, '/sign-in/email', { email: ada.email, password: ada.password })).statusCode).toBe(429)
    for (const path of [
      '/sign-in/email/',
      '/Sign-In/email',
      '/sign-in/%65mail',
      '//sign-in/email',
      '/sign-in/email?x=1',
    ])
      expect([404, 429], path).toContain((await post(limited, path, wrong())).statusCode)
  }))

test('clients behind NAT64 are counted by their own IPv4 address', () =>
  on(PROXIED, async (proxied) => {
    const from = (address: string) => ({ 'x-forwarded-for': address })
    // Each attempt is for a different account.
    const wrongFrom = (address: string) => ({ email: `no address of ${address}`, password: 'x' })
    const expectTries = async (address: string, limit: number) =>
      expectLimit(
        await sendAll(25, () => post(proxied, '/sign-in/email', wrongFrom(address), from(address))),
        limit,
        400,
      )
    await expectTries('64:ff9b::192.0.2.33', 20)
    await expectTries('64:ff9b::192.0.2.34', 20)
    await expectTries('192.0.2.34', 0)
    // One household has a whole /64 network.
    await expectTries('2001:db8:7:1::1', 20)
    await expectTries('2001:db8:7:1:aaaa::2', 0)
  }))

test('two nodes share one count of sign-in attempts', () =>
  on(LIMITED, async (limited) => {
    const other = await serve(open.databaseUrl, { RATE_LIMIT: 'on' })
    expectLimit(await sendAll(60, (n) => post(n % 2 === 0 ? limited : other, '/sign-in/email', wrong())), 20, 400)
    await other.app.close()
  }))

test('sign-in attempts at one account from many addresses are limited, and others still sign in', () =>
  on(PROXIED, async (proxied) => {
    const from = (n: number) => ({ 'x-forwarded-for': `198.51.100.${n}` })
    const empty = { username: ada.username, password: '' }
    const sent = await sendAll(60, (n) => post(proxied, '/sign-in/username', empty, from(n)))
    expectLimit(sent, 30, 401)
    const right = { username: ada.username, password: ada.password }
    expect((await post(proxied, '/sign-in/username', right, from(98))).statusCode).toBe(429)
    const late = sent.answers.find(({ statusCode }) => statusCode === 429)
    expect(late?.json().code).toBe('TOO_MANY_TRIES')
    expect(Number(late?.headers['retry-after'])).toBeGreaterThan(60)
    const bob = await open.person('bob')
    const signedIn = await post(proxied, '/sign-in/email', { email: bob.email, password: bob.password }, from(99))
    expect(signedIn.statusCode).toBe(200)
    const [session] = (await bob.get('/api/sessions')).body.filter((it: { isCurrent: boolean }) => !it.isCurrent)
    expect(session.ipAddress).toBe('198.51.100.99')
    const kept = await open.app.db.selectFrom('tries').select('key').execute()
    expect(kept.map(({ key }) => key)).toContain(`account ${createHash('sha256').update(ada.id).digest('base64url')}`)
  }))

test('sign-in attempts at one account count together, by e-mail or username in any spelling', () =>
  on(PROXIED, async (proxied) => {
    const cyd = await open.person('cyd')
    const names = [
      ['email', cyd.email],
      ['username', cyd.username],
      ['email', cyd.email.toUpperCase()],
      ['username', 'CyD'],
    ] as const
    const from = (n: number) => ({ 'x-forwarded-for': `198.51.100.${n}` })
    const send = (n: number) => {
      const [way, name] = names[n % 4] as (typeof names)[number]
      return post(proxied, `/sign-in/${way}`, { [way]: name, password: '' }, from(n))
    }
    expectLimit(await sendAll(60, send), 30, 401)
    // Unknown names are counted as well, so that they can't be told apart.
    const nobody = { username: 'nobody.at.all', password: '' }
    expectLimit(await sendAll(40, (n) => post(proxied, '/sign-in/username', nobody, from(100 + n))), 30, 401)
  }))

test('attempts to get a token are limited as well', () =>
  on(LIMITED, async (limited) => {
    const ask = () => limited.app.inject({ url: '/api/auth/token', headers: { cookie: ada.cookie } })
    expect((await ask()).statusCode).toBe(200)
    await open.app.db.updateTable('tries').set({ count: 595 }).execute()
    expectLimit(await sendAll(10, ask), 5, 200)
  }))

test('known and unknown usernames get the same answer after the same work', async () => {
  const hosted = { id: randomUUID(), username: 'hosted', name: 'Hosted', email: 'hosted@example.com' }
  await open.app.db.insertInto('users').values(hosted).execute()
  const kinds = {
    known: (way: string) => (way === 'email' ? ada.email : ada.username),
    unknown: (way: string) => (way === 'email' ? `${randomUUID()}@example.com` : randomUUID().slice(0, 13)),
    'without a password': (way: string) => (way === 'email' ? hosted.email : hosted.username),
  }
  for (const way of ['email', 'username']) {
    const bodies = new Set<string>()
    const works = new Map<string, number[]>()
    for (let round = 0; round < 5; round++)
      for (const [kind, nameOf] of Object.entries(kinds)) {
        const before = process.cpuUsage()
        const answer = await post(open, `/sign-in/${way}`, { [way]: nameOf(way), password: 'wrong password' })
        const { user, system } = process.cpuUsage(before)
        works.set(kind, [...(works.get(kind) ?? []), user + system])
        bodies.add(`${answer.statusCode} ${answer.body}`)
      }
    expect(bodies.size).toBe(1)
    // Other work of this process can only add to it, so take the minimum.
    const least = [...works.values()].map((them) => Math.min(...them))
    // Skipping the password hash would take a twentieth. Measures CPU time, so that other load doesn't count.
    expect(Math.max(...least) / Math.min(...least)).toBeLessThan(4)
  }
})

test('the session cookie is HttpOnly, SameSite, and Secure behind TLS', async () => {
  const https = { 'x-forwarded-proto': 'https' }
  const credentials = { email: ada.email, password: ada.password }
  const cookiesOf = (answer: Awaited<ReturnType<typeof post>>) => answer.headers['set-cookie']?.toString() ?? ''
  const flags = /HttpOnly.*SameSite=Lax|SameSite=Lax.*HttpOnly/
  const plain = cookiesOf(await post(open, '/sign-in/email', credentials))
  expect(plain).toMatch(/^parley\.session_token=/)
  expect(plain).toMatch(flags)
  expect(plain).not.toContain('Secure')
  await on({ PUBLIC_URL: 'https://chat.example.com' }, async (server) => {
    const secure = cookiesOf(await post(server, '/sign-in/email', credentials))
    expect(secure).toMatch(/^__Secure-parley\.session_token=/)
    expect(secure).toMatch(flags)
    expect(secure).toMatch(/; Secure/)
  })
  await on(PROXIED, async (server) => {
    expect(cookiesOf(await post(server, '/sign-in/email', credentials, https))).toMatch(/SameSite=Lax; Secure/)
  })
  // The header counts only from a trusted proxy.
  expect(cookiesOf(await post(open, '/sign-in/email', credentials, https))).not.toContain('Secure')
})

test('requests with the cookie from a page of another host are refused', async () => {
  const foreign = { cookie: ada.cookie, origin: 'http://evil.example' }
  for (const headers of [foreign, { ...foreign, origin: 'null' }, { cookie: ada.cookie }])
    expect((await post(open, '/sign-out', {}, headers)).statusCode).toBe(403)
  const navigated = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }
  const credentials = { email: ada.email, password: ada.password }
  expect((await post(open, '/sign-in/email', credentials, navigated)).statusCode).toBe(403)
  const form = { 'content-type': 'application/x-www-form-urlencoded', origin: 'http://evil.example' }
  const body = new URLSearchParams(credentials).toString()
  const posted = await open.app.inject({ method: 'POST', url: '/api/auth/sign-in/email', payload: body, headers: form })
  expect([400, 403, 415]).toContain(posted.statusCode)
  expect((await ada.get('/api/channels')).status).toBe(200)
})

test('no other origin may read a response', async () => {
  for (const url of ['/api/channels', '/api/auth/token', '/api/auth/get-session', '/api/auth/sign-in/email']) {
    const preflight = await open.app.inject({
      method: 'OPTIONS',
      url,
      headers: {
        origin: 'http://evil.example',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    })
    const crossOrigin = await open.app.inject({ url, headers: { origin: 'http://evil.example', cookie: ada.cookie } })
    for (const { headers } of [preflight, crossOrigin])
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control-allow'))).toEqual([])
  }
})

test('unused endpoints of the identity library are not exposed', async () => {
  for (const path of [
    '/list-sessions',
    '/revoke-session',
    '/update-user',
    '/change-email',
    '/delete-user',
    '/is-username-available',
    '/update-session',
    '/link-social',
    '/sign-in/social',
    '/request-password-reset',
    '/callback/oidc',
    '/error',
    '/ok',
  ])
    for (const method of ['GET', 'POST'] as const) {
      const headers = { cookie: ada.cookie, origin: 'http://localhost' }
      const answer = await open.app.inject({
        method,
        url: `/api/auth${path}`,
        headers,
        ...(method === 'POST' && { payload: {} }),
      })
      expect([path, answer.statusCode]).toEqual([path, 404])
    }
})

test('a session cannot be planted by another’s id or by a token as a cookie', async () => {
  const { id, token } = await open.app.db
    .selectFrom('sessions')
    .select(['id', 'token'])
    .where('userId', '=', ada.id)
    .executeTakeFirstOrThrow()
  for (const value of [id, token, `${token}.x`, `${token}.${Buffer.alloc(32).toString('base64')}`, ada.token]) {
    const cookie = `parley.session_token=${encodeURIComponent(value)}`
    expect((await open.app.inject({ url: '/api/auth/token', headers: { cookie } })).statusCode).toBe(401)
  }
  const bearer = { authorization: `Bearer ${token}` }
  expect((await open.app.inject({ url: '/api/auth/token', headers: bearer })).statusCode).toBe(401)
})

test('pages forbid foreign scripts, framing and content-type sniffing', async () => {
  const { headers } = await open.app.inject('/healthz')
  const policy = String(headers['content-security-policy'])
  expect(policy).toMatch(/default-src 'self'.*script-src 'self'[;,]?.*object-src 'none'.*frame-ancestors 'none'/)
  expect(policy).not.toMatch(/unsafe-eval|script-src[^;]*unsafe-inline|\*/)
  expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'SAMEORIGIN' })
})

test('a profile picture from another server is refused', async () => {
  const person = { name: 'Pic', username: 'pic', email: 'pic@example.com', password: 'correct horse' }
  const answer = await post(open, '/sign-up/email', { ...person, image: 'https://evil.example/seen.png' })
  expect(answer.json().user.image).toBe(null)
})
