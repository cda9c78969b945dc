import { beforeAll, expect, test } from 'vitest'
import { bounds } from '../limits/bounds.ts'
import { type Person, startParley } from '../test/support/parley.ts'
import { openRawConnection, upgrade } from '../test/support/raw-socket.ts'

// Requests are classified once, regardless of their spelling and headers.

const BURST = 40

let parley: Awaited<ReturnType<typeof startParley>>
let ada: Person

/** A server with a low rate per address; each test uses its own addresses. */
let counted: Awaited<ReturnType<typeof startParley>>
let clients = 1

beforeAll(async () => {
  const rates = { ...bounds.rates, address: { perSecond: 0.01, burst: BURST } }
  counted = await startParley({ RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' }, undefined, { rates })
  parley = await startParley()
  ada = await parley.person('ada')
})

/** Sends a raw request, which no library would, and returns the whole response. */
async function ask(address: string, target: string, headers: string[] = [], method = 'GET', body = '') {
  const line = await openRawConnection(address)
  const length = body === '' ? [] : [`Content-Length: ${body.length}`, 'Content-Type: application/json']
  const host = headers.some((it) => /^host:/i.test(it)) ? [] : ['Host: localhost']
  line.write(
    [`${method} ${target} HTTP/1.1`, ...host, ...headers, ...length, 'Connection: close', '', body].join('\r\n'),
  )
  await line.closed
  const [head = '', ...rest] = line.received().split('\r\n\r\n')
  return { status: Number(head.slice(9, 12)), head: head.toLowerCase(), body: rest.join('\r\n\r\n') }
}

const hidden = ['list-sessions', 'list-accounts', 'update-user', 'change-password', 'revoke-sessions', 'ok', 'error']

test.each([
  ['Host', {}],
  ['Host', { PUBLIC_URL: 'http://localhost' }],
  ['X-Forwarded-Host', { TRUST_PROXY: 'loopback' }],
])(
  'no %s reaches a call of the identity that is not mounted (%j)',
  async (header, settings) => {
    const server = await startParley(settings)
    const eve = await server.person('eve')
    for (const call of hidden)
      for (const host of [
        `localhost/api/auth/${call}?`,
        `localhost/api/auth/${call}#`,
        `x@localhost/api/auth/${call}?`,
        `localhost\\api\\auth\\${call}?`,
        `localhost/api/auth/${call}/../${call}?`,
      ])
        for (const [method, target, body] of [
          ['GET', '/api/auth/get-session', ''],
          ['POST', '/api/auth/sign-out', '{"name":"Assistant"}'],
        ] as const) {
          const answer = await ask(
            server.address,
            target,
            [`${header}: ${host}`, `Cookie: ${eve.cookie}`, 'Origin: http://localhost'],
            method,
            body,
          )
          expect([host, answer.status]).toEqual([host, 400])
        }
    const { users } = await server.app.db
      .selectFrom('users')
      .select((row) => row.fn.count<number>('id').filterWhere('name', '=', 'Assistant').as('users'))
      .where('id', '=', eve.id)
      .executeTakeFirstOrThrow()
    expect(Number(users)).toBe(0)
    expect((await eve.get('/api/channels')).status).toBe(200)
  },
  30_000,
)

test.each([
  'a b',
  'localhost/',
  'localhost?x',
  'localhost#x',
  'user@localhost',
  'localhost:port',
  'localhost:99999',
  'a,b',
  '[::1',
  '999.1.1.1',
  '<script>',
  'a%2fb',
  '',
])('host %j is refused on every path', async (host) => {
  for (const target of ['/', '/api/auth/ways', '/api/auth/get-session', '/api/users', '/api/nothing'])
    expect([target, (await ask(parley.address, target, [`Host: ${host}`])).status]).toEqual([target, 400])
  const line = await openRawConnection(parley.address)
  line.write(upgrade().replace('Host: localhost', `Host: ${host}`))
  await line.closed
  expect(line.received()).toMatch(/^HTTP\/1\.1 4/)
})

test.each(['/healthz', '/readyz', '/metrics'])('%s is served to a load balancer that sends no host', async (target) => {
  expect((await ask(parley.address, target, ['Host:'])).status).toBe(200)
  for (const host of ['', 'Host:\r\n']) {
    const line = await openRawConnection(parley.address)
    line.write(`GET ${target} HTTP/1.0\r\n${host}\r\n`)
    await line.closed
    expect(line.received()).toMatch(/^HTTP\/1\.1 200 /)
  }
  // Invalid hosts are refused here as well.
  expect((await ask(parley.address, target, ['Host: a b'])).status).toBe(400)
})

test('a request with two Host headers is refused', async () => {
  const answer = await ask(parley.address, '/api/auth/ways', ['Host: localhost', 'Host: evil.example'])
  expect(answer.status).toBe(400)
})

test.each(['localhost', 'LOCALHOST:3000', 'chat.example.com.', '127.0.0.1:80', '[::1]:3000', 'my_host'])(
  'the host %j is accepted',
  async (host) => expect((await ask(parley.address, '/api/auth/ways', [`Host: ${host}`])).status).toBe(200),
)

test('only trusted proxies may forward another host', async () => {
  const proxied = await startParley({ TRUST_PROXY: '10.9.9.9' })
  const post = (remoteAddress: string, origin: string) =>
    proxied.app.inject({
      method: 'POST',
      url: '/api/auth/sign-in/email',
      remoteAddress,
      payload: { email: 'nobody@example.com', password: 'wrong password' },
      headers: { host: '10.0.0.1:3000', 'x-forwarded-host': 'chat.example.com', origin, cookie: 'x=1' },
    })
  expect((await post('10.9.9.9', 'https://chat.example.com')).statusCode).toBe(401)
  expect((await post('10.1.1.1', 'https://chat.example.com')).statusCode).toBe(403)
  expect((await post('10.1.1.1', 'http://10.0.0.1:3000')).statusCode).toBe(401)
})

test.each([
  ['/%61pi/auth/ways'],
  ['/api/auth/%77ays'],
  ['/%61%70%69/auth/ways?x=/'],
  ['http://localhost/api/auth/ways'],
  ['http://evil.example/%61pi/auth/ways'],
  ['/%61pi/nothing'],
  ['/api/%zz'],
  ['/api/files/x/xxx…', `/api/files/x/${'x'.repeat(5000)}`],
])('%s is rate limited and answered as a call', async (name, target = name) => {
  const from = `X-Forwarded-For: 192.0.2.${clients++}`
  const before = await ask(counted.address, target, [from])
  expect(before.head).toContain('cache-control: private, no-store')
  expect(before.head).toContain("content-security-policy: default-src 'none'")
  let refused = 0
  for (let n = 0; n < BURST + 5; n++) if ((await ask(counted.address, target, [from])).status === 429) refused++
  expect(refused).toBeGreaterThan(0)
})

test('requests with a missing body use up only the limit of their own address', async () => {
  const settings = { RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' }
  const busy = await startParley(settings, undefined, { requests: 30, requestsPerAddress: 20 })
  const bob = await busy.person('bob')
  const from = (address: string) => `X-Forwarded-For: ${address}`
  const lines: Awaited<ReturnType<typeof openRawConnection>>[] = []
  // One address, and several that together exceed the node's limit.
  for (const address of ['198.51.100.1', '198.51.100.2', '198.51.100.3'])
    for (let n = 0; n < 25; n++) {
      const line = await openRawConnection(busy.address)
      line.write(
        `POST /api/auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\n${from(address)}\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n`,
      )
      lines.push(line)
    }
  const refused = () => lines.filter((line) => line.received().startsWith('HTTP/1.1 429')).length
  await expect.poll(refused).toBe(15)
  for (const target of ['/healthz', '/api/auth/ways', '/api/openapi.json'])
    expect([target, (await ask(busy.address, target, [from('203.0.113.9')])).status]).toEqual([target, 200])
  expect((await bob.get('/api/channels')).status).toBe(200)
  expect((await ask(busy.address, '/api/auth/ways', [from('198.51.100.2')])).status).toBe(429)
  // Closed connections free their places.
  for (const { socket } of lines) socket.destroy()
  await expect.poll(async () => (await ask(busy.address, '/api/auth/ways', [from('198.51.100.2')])).status).toBe(200)
})

test('unauthenticated sockets use up only the limit of their own address', async () => {
  const settings = { RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' }
  const busy = await startParley(settings, undefined, { unauthenticatedSockets: 10, handshakeTimeoutMs: 60_000 })
  const bob = await busy.person('bob')
  const poll = (address: string) =>
    fetch(`${busy.address}/socket.io/?EIO=4&transport=polling`, { headers: { 'x-forwarded-for': address } })
  for (let n = 0; n < 10; n++) {
    if (n % 2 === 0) expect((await poll('198.51.100.1')).status).toBe(200)
    else {
      const line = await openRawConnection(busy.address)
      line.write(upgrade('X-Forwarded-For: 198.51.100.1'))
      await expect.poll(() => line.received()).toContain('"sid"')
    }
  }
  const refused = await poll('198.51.100.1')
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^[1-9]/)])
  const line = await openRawConnection(busy.address)
  line.write(upgrade('X-Forwarded-For: 198.51.100.1'))
  await line.closed
  expect(line.received()).toMatch(/^HTTP\/1\.1 429/)
  expect((await poll('198.51.100.2')).status).toBe(200)
  // Authenticated ones do not count.
  for (let n = 0; n < 15; n++) expect((await bob.listen()).socket.connected).toBe(true)
})

test.each([
  ['198.51.100.7:4711', '198.51.100.7'],
  ['[2001:db8:1:2::7]:4711', '2001:db8:1:2::9'],
  ['2001:DB8:1:3:0:0:0:7', '2001:db8:1:3:ffff::1'],
  ['::ffff:198.51.100.8', '198.51.100.8'],
  ['::ffff:c633:6409', '198.51.100.9'],
  ['fe80::1%eth0', 'fe80::2'],
  ['evil, 198.51.100.10', '198.51.100.10'],
])('client addresses %j and %j from the proxy are the same client', async (header, equivalent) => {
  const statusFor = async (address: string) =>
    (await counted.app.inject({ url: '/api/auth/ways', headers: { 'x-forwarded-for': address } })).statusCode
  while ((await statusFor(header)) === 200);
  expect(await statusFor(equivalent)).toBe(429)
  const polled = await fetch(`${counted.address}/socket.io/?EIO=4&transport=polling`, {
    headers: { 'x-forwarded-for': equivalent },
  })
  expect(polled.status).toBe(429)
  expect(await statusFor('203.0.113.1')).toBe(200)
})

test('a page of the same origin can open a socket, even if the host includes the default port', async () => {
  const statusFor = async (host: string, origin: string) =>
    (await ask(parley.address, '/socket.io/?EIO=4&transport=polling', [`Host: ${host}`, `Origin: ${origin}`])).status
  expect(await statusFor('chat.example.com', 'https://chat.example.com')).toBe(200)
  expect(await statusFor('chat.example.com:443', 'https://chat.example.com')).toBe(200)
  expect(await statusFor('Chat.Example.com', 'http://chat.example.com')).toBe(200)
  expect(await statusFor('chat.example.com:3000', 'https://chat.example.com')).toBe(403)
  expect(await statusFor('chat.example.com', 'null')).toBe(403)
})

test('no identity response contains a session token', async () => {
  const { token } = await parley.app.db
    .selectFrom('sessions')
    .select('token')
    .where('userId', '=', ada.id)
    .executeTakeFirstOrThrow()
  const inject = (method: 'GET' | 'POST', path: string, payload?: object) =>
    parley.app.inject({
      method,
      url: `/api/auth${path}`,
      headers: { cookie: ada.cookie, origin: 'http://localhost' },
      ...(payload && { payload }),
    })
  const fresh = { name: 'Fay', username: 'fay', email: 'fay@example.com', password: 'correct horse' }
  const answers = [
    await inject('POST', '/sign-up/email', fresh),
    await inject('POST', '/sign-in/email', fresh),
    await inject('POST', '/sign-in/username', fresh),
    await inject('GET', '/get-session'),
  ]
  for (const answer of answers) {
    expect(answer.statusCode).toBe(200)
    expect(answer.json().user.username).toMatch(/^(ada|fay)$/)
    expect(answer.body).not.toContain('token')
    expect(answer.body).not.toContain(token)
    for (const { name, value } of answer.cookies)
      if (name.endsWith('session_token')) expect(answer.body).not.toContain(decodeURIComponent(value).split('.')[0])
  }
})

test('a name that cannot be stored is refused without an internal error', async () => {
  const post = (path: string, payload: object) =>
    parley.app.inject({ method: 'POST', url: `/api/auth${path}`, payload, headers: { origin: 'http://localhost' } })
  const password = 'correct horse'
  for (const bad of ['a\u0000b', 'a\ud800b', ['ada'], { toString: 'x' }, null, 7]) {
    expect([bad, (await post('/sign-in/username', { username: bad, password })).statusCode]).toEqual([bad, 400])
    expect([bad, (await post('/sign-in/email', { email: bad, password })).statusCode]).toEqual([bad, 400])
    for (const field of ['name', 'username', 'email', 'invite']) {
      const person = { name: 'Nul', username: 'nul', email: 'nul@example.com', password }
      const answer = await post('/sign-up/email', { ...person, [field]: bad })
      expect([field, bad, answer.statusCode]).toEqual([field, bad, 400])
    }
  }
})

test.each(['h2c', 'TLS/1.0', 'websocket'])(
  'a request that offers to upgrade to %s is answered without an upgrade',
  async (protocol) => {
    for (const target of ['/api/auth/ways', '/healthz', '/socket.io/?EIO=4&transport=polling']) {
      if (protocol === 'websocket' && target.startsWith('/socket.io')) continue
      const line = await openRawConnection(parley.address)
      line.write(
        `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: ${protocol}\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
      )
      await expect.poll(() => line.received()).toMatch(/^HTTP\/1\.1 200 /)
    }
  },
)
