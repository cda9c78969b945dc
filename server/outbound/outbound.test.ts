import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { beforeEach, expect, test } from 'vitest'
import { atEnd } from '../test/support/cleanup.ts'
import { startNameServer } from '../test/support/name-server.ts'
import { parseAllowedHosts } from './allowed-hosts.ts'
import { createOutbound } from './outbound.ts'

/** What the site answers, by path. */
const pages = new Map<string, (response: ServerResponse, request: IncomingMessage) => void>()
const requests: IncomingMessage[] = []
const site = createServer((request, response) => {
  requests.push(request)
  const page = pages.get(new URL(`http://site${request.url}`).pathname)
  if (page) page(response, request)
  else response.setHeader('content-type', 'text/html').end('secret')
})
site.listen(0, '127.0.0.1')
await once(site, 'listening')
atEnd(() => void site.close())
const { port } = site.address() as AddressInfo

const names = new Map<string, string[]>()
const queries: string[] = []
const nameServers = [
  await startNameServer((name) => {
    queries.push(name)
    return names.get(name) ?? []
  }),
]

const openOutbound = (more: Omit<Parameters<typeof createOutbound>[0], 'purpose'>) =>
  createOutbound({ ...more, purpose: 'tests' })
const strict = openOutbound({ allowed: parseAllowedHosts([]), nameServers })
const lenient = openOutbound({ allowed: parseAllowedHosts(['127.0.0.1']), nameServers })

const get = (url: string, outbound = strict, maxBytes = 1000, timeoutMs = 5000) =>
  outbound.get(url, {
    accept: '*/*',
    maxBytes: (type) => (type === 'text/html' ? maxBytes : undefined),
    signal: AbortSignal.timeout(timeoutMs),
  })
const textOf = async (path: string) => (await get(`http://127.0.0.1:${port}${path}`, lenient)).bytes.toString()

beforeEach(() => {
  requests.length = 0
  queries.length = 0
})

test.each([
  // Every way to write this machine.
  'http://127.0.0.1:PORT/',
  'http://127.1:PORT/',
  'http://127.0.0.1.:PORT/',
  'http://2130706433:PORT/',
  'http://0x7f000001:PORT/',
  'http://0x7f.1:PORT/',
  'http://0177.0.0.1:PORT/',
  'http://017700000001:PORT/',
  'http://127.255.255.254:PORT/',
  'http://%31%32%37.0.0.1:PORT/',
  'http://１２７.０.０.１:PORT/',
  'http://①②⑦.0.0.1:PORT/',
  'http://127。0。0。1:PORT/',
  'http://0:PORT/',
  'http://0.0.0.0:PORT/',
  'http://[::1]:PORT/',
  'http://[::]:PORT/',
  'http://[::ffff:127.0.0.1]:PORT/',
  'http://[::ffff:7f00:1]:PORT/',
  'http://[::127.0.0.1]:PORT/',
  'http://[64:ff9b::127.0.0.1]:PORT/',
  'http://[64:ff9b:1::7f00:1]:PORT/',
  'http://[2002:7f00:1::]:PORT/',
  'http://[2001:0:7f00:1::]:PORT/',
  'http://[fe80::1]:PORT/',
  'http://[fc00::1]:PORT/',
  // Neighbours, and what clouds tell their machines.
  'http://10.0.0.1:PORT/',
  'http://172.16.0.1:PORT/',
  'http://192.168.0.1:PORT/',
  'http://100.64.0.1:PORT/',
  'http://169.254.169.254/latest/meta-data/',
  'http://[fd00:ec2::254]/latest/meta-data/',
  'http://[::ffff:169.254.169.254]/',
  'http://255.255.255.255:PORT/',
  'http://224.0.0.1:PORT/',
])('refuses %s without connecting', async (url) => {
  await expect(get(url.replace('PORT', String(port)))).rejects.toThrow('not a public address')
  expect(requests).toEqual([])
})

test.each([
  ['ftp://127.0.0.1/', 'not an HTTP URL'],
  ['file:///etc/passwd', 'not an HTTP URL'],
  ['gopher://127.0.0.1:70/_x', 'not an HTTP URL'],
  ['data:text/html,x', 'not an HTTP URL'],
  ['http://', 'not an HTTP URL'],
  ['http://user:password@example.com/', 'contains credentials'],
  ['http://example.com@127.0.0.1/', 'contains credentials'],
  ['http://example.com:22/', 'unusual port'],
  ['http://example.com:25/', 'unusual port'],
  ['https://localhost/', 'unknown host'],
  ['https://missing.example/', 'unknown host'],
])('refuses %s: %s', async (url, reason) => {
  await expect(get(url)).rejects.toThrow(reason)
})

test.each([
  ['inside.example', ['127.0.0.1']],
  ['inside6.example', ['::1']],
  ['mapped.example', ['::ffff:10.0.0.1']],
  // One bad address is enough: the browser of whoever set it up chooses among them.
  ['mixed.example', ['93.184.216.34', '10.0.0.1']],
  ['mixed6.example', ['93.184.216.34', 'fd00::1']],
])('refuses the name %s of %j', async (name, addresses) => {
  names.set(name, addresses)
  await expect(get(`http://${name}:${port}/`)).rejects.toThrow('not a public address')
  await expect(get(`http://${name.toUpperCase()}.:${port}/`)).rejects.toThrow('not a public address')
  expect(requests).toEqual([])
})

test('connects to the address that was checked, even if the name has another one by then', async () => {
  let answers = 0
  const changing = await startNameServer((name) =>
    name === 'changing.example' && answers++ < 2 ? ['127.0.0.1'] : ['10.0.0.1'],
  )
  const outbound = openOutbound({ allowed: parseAllowedHosts(['127.0.0.1']), nameServers: [changing] })
  const fetched = await get(`http://changing.example:${port}/`, outbound)
  expect(fetched.bytes.toString()).toBe('secret')
  // One query for each family, and none while connecting.
  expect(answers).toBe(2)
  expect(requests[0]?.headers.host).toBe(`changing.example:${port}`)
})

test.each([
  ['http://10.0.0.1/', 'not a public address'],
  ['//10.0.0.1/', 'not a public address'],
  ['http://2130706434/', 'not a public address'],
  ['file:///etc/passwd', 'not an HTTP URL'],
  ['http://user@127.0.0.1/', 'contains credentials'],
  ['http://redirected.example/', 'not a public address'],
])('checks a redirect to %s again: %s', async (location, reason) => {
  names.set('redirected.example', ['192.168.1.1'])
  pages.set('/redirect', (response) => response.writeHead(302, { location }).end())
  await expect(get(`http://127.0.0.1:${port}/redirect`, lenient)).rejects.toThrow(reason)
  expect(requests).toHaveLength(1)
})

test('follows few redirects, and says where they ended', async () => {
  pages.set('/once', (response) => response.writeHead(301, { location: '/end?x=1#part' }).end())
  expect(await get(`http://127.0.0.1:${port}/once`, lenient)).toMatchObject({ url: `http://127.0.0.1:${port}/end?x=1` })
  pages.set('/loop', (response) => response.writeHead(302, { location: '/loop' }).end())
  await expect(get(`http://127.0.0.1:${port}/loop`, lenient)).rejects.toThrow('too many redirects')
})

test('sends no credentials, cookies or referrer', async () => {
  pages.set('/cookie', (response) =>
    response.writeHead(302, { location: '/after', 'set-cookie': 'session=1', 'www-authenticate': 'Basic' }).end(),
  )
  await get(`http://127.0.0.1:${port}/cookie`, lenient)
  for (const { headers, method } of requests) {
    expect(method).toBe('GET')
    expect(Object.keys(headers).toSorted()).toEqual(['accept', 'accept-encoding', 'connection', 'host', 'user-agent'])
  }
})

test('reads no more than allowed, of the types allowed, also if it is compressed', async () => {
  const html = (response: ServerResponse) => response.setHeader('content-type', 'text/html; charset=utf-8')
  const endless = 'x'.repeat(100_000)
  pages.set('/long', (response) => html(response).end(endless))
  pages.set('/gzip', (response) => html(response).setHeader('content-encoding', 'gzip').end(gzipSync('packed')))
  pages.set('/brotli', (response) =>
    html(response).setHeader('content-encoding', 'br').end(brotliCompressSync('packed')),
  )
  const bomb = gzipSync(Buffer.alloc(200_000_000))
  pages.set('/bomb', (response) => html(response).setHeader('content-encoding', 'gzip').end(bomb))
  pages.set('/other', (response) => html(response).setHeader('content-encoding', 'zip').end('x'))
  pages.set('/pdf', (response) => response.setHeader('content-type', 'application/pdf').end('x'))
  pages.set('/error', (response) => response.writeHead(500).end('x'))
  expect(await get(`http://127.0.0.1:${port}/long`, lenient)).toMatchObject({ isCut: true, type: 'text/html' })
  expect(await textOf('/gzip')).toBe('packed')
  expect(await textOf('/brotli')).toBe('packed')
  expect((await get(`http://127.0.0.1:${port}/bomb`, lenient)).bytes).toHaveLength(1000)
  await expect(textOf('/other')).rejects.toThrow('unknown encoding')
  await expect(textOf('/pdf')).rejects.toThrow('unexpected type')
  await expect(textOf('/error')).rejects.toThrow('answers 500')
})

test.each([
  ['another protocol', 'HTTP/1.1 101 S\r\nUpgrade: a\r\nConnection: upgrade\r\n\r\n'],
  ['a response that promises another one', 'HTTP/1.1 103 E\r\nLink: </x>\r\n\r\n'.repeat(20)],
  ['no response', ''],
  ['no HTTP', 'SSH-2.0-x\r\n'],
  ['half a body', 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 99\r\n\r\nhalf'],
  [
    'a broken body',
    'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: gzip\r\nContent-Length: 3\r\n\r\nxyz',
  ],
  ['an inherited encoding', 'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Encoding: constructor\r\n\r\n'],
])('%s is a failure at once', async (_, answer) => {
  const rude = createTcpServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(answer)))
  rude.listen(0, '127.0.0.1')
  await once(rude, 'listening')
  const { port } = rude.address() as AddressInfo
  await expect(get(`http://127.0.0.1:${port}/`, lenient)).rejects.toThrow(/does not respond|unknown encoding/)
  rude.close()
})

test('ends a body that comes in too many pieces', async () => {
  pages.set('/dust', (response) => {
    response.setHeader('content-type', 'text/html')
    const more = () => {
      if (response.destroyed) return
      for (let i = 0; i < 500; i++) response.write('x')
      setImmediate(more)
    }
    more()
  })
  await expect(get(`http://127.0.0.1:${port}/dust`, lenient, 10_000_000, 20_000)).rejects.toThrow('too many pieces')
})

test('ends with its signal, whoever is slow', async () => {
  pages.set('/silent', () => {})
  pages.set('/slow', (response) => response.writeHead(200, { 'content-type': 'text/html' }).write('x'))
  const late = (path: string) => get(`http://127.0.0.1:${port}${path}`, lenient, 1000, 100)
  await expect(late('/silent')).rejects.toThrow(/timeout/i)
  await expect(late('/slow')).rejects.toThrow(/timeout/i)
  const silent = openOutbound({ allowed: parseAllowedHosts([]), nameServers: ['127.0.0.1:9'] })
  await expect(get('http://slow.example/', silent, 1000, 100)).rejects.toThrow(/timeout|unknown host/i)
})

test('may reach what the administrator names', async () => {
  const all = parseAllowedHosts(['localhost', '10.1.0.0/16', 'fd00::/8', '[::1]', '*.corp.example'])
  expect((await get(`http://localhost:${port}/`, openOutbound({ allowed: all }))).bytes.toString()).toBe('secret')
  expect(['10.1.2.3', 'fd12::1', '::1', '::ffff:10.1.0.1'].filter(all.hasAddress)).toHaveLength(4)
  expect(['10.2.0.1', '127.0.0.1', 'fe80::1'].filter(all.hasAddress)).toEqual([])
  expect(['a.corp.example', 'a.b.corp.example'].filter(all.hasName)).toHaveLength(2)
  expect(['corp.example', 'xcorp.example', 'a.corp.example.com'].filter(all.hasName)).toEqual([])
  // What a name may reach, its redirects may not.
  pages.set('/away', (response) => response.writeHead(302, { location: `http://127.0.0.1:${port}/` }).end())
  const outbound = openOutbound({ allowed: parseAllowedHosts(['localhost']) })
  await expect(get(`http://localhost:${port}/away`, outbound)).rejects.toThrow('not a public address')
})

test.each(['10.0.0.0/33', '10.0.0', 'http://wiki', 'a b', '*.', '*', 'wiki:80', 'fd00::/129', '-'])(
  'refuses %j as a host to allow',
  (entry) => {
    expect(() => parseAllowedHosts([entry])).toThrow(RangeError)
  },
)
