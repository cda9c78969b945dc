import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { atEnd } from '../test/support/cleanup.ts'
import { startNameServer } from '../test/support/name-server.ts'
import { parseAllowedHosts } from './allowed-hosts.ts'
import { createOutbound } from './outbound.ts'

let answer: (response: ServerResponse, request: IncomingMessage) => void = (response) => response.end()
const requests: { request: IncomingMessage; body: string }[] = []
const site = createServer(async (request, response) => {
  requests.push({ request, body: await text(request) })
  answer(response, request)
})
site.listen(0, '127.0.0.1')
await once(site, 'listening')
atEnd(() => {
  site.close()
  site.closeAllConnections()
})
const { port } = site.address() as AddressInfo
const origin = `http://127.0.0.1:${port}`

const nameServers = [await startNameServer((name) => (name === 'inside.example' ? ['127.0.0.1'] : []))]
const strict = createOutbound({ purpose: 'tests', allowed: parseAllowedHosts([]), nameServers })
const lenient = createOutbound({ purpose: 'tests', allowed: parseAllowedHosts(['127.0.0.1']), nameServers })

const post = (url: string, { outbound = lenient, maxBytes = 1000, timeoutMs = 5000 } = {}) =>
  outbound.post(url, {
    headers: { 'content-type': 'text/plain', ttl: '60' },
    body: Buffer.from('the body'),
    maxBytes,
    signal: AbortSignal.timeout(timeoutMs),
  })

test('posts a body, and returns the answer whatever its status', async () => {
  answer = (response) => response.writeHead(429, { 'retry-after': '7' }).end('slow down')
  const { status, headers, body } = await post(`${origin}/push?x=1`)
  expect([status, headers['retry-after'], body.toString()]).toEqual([429, '7', 'slow down'])
  const { request, body: sent } = requests.at(-1) ?? {}
  expect([request?.method, request?.url, sent]).toEqual(['POST', '/push?x=1', 'the body'])
  expect(request?.headers).toMatchObject({ 'content-length': '8', ttl: '60', 'content-type': 'text/plain' })
  expect(request?.headers['user-agent']).toContain('Parley; tests')
})

test('follows no redirect', async () => {
  answer = (response) => response.writeHead(307, { location: '/elsewhere' }).end()
  const before = requests.length
  expect(await post(`${origin}/push`)).toMatchObject({ status: 307, headers: { location: '/elsewhere' } })
  expect(requests).toHaveLength(before + 1)
})

test.each([
  [`http://127.0.0.1:${port}/`, 'not a public address'],
  [`http://2130706433:${port}/`, 'not a public address'],
  [`http://[::ffff:127.0.0.1]:${port}/`, 'not a public address'],
  [`http://inside.example:${port}/`, 'not a public address'],
  ['http://169.254.169.254/', 'not a public address'],
  ['http://missing.example/', 'unknown host'],
  ['http://example.com:25/', 'unusual port'],
  [`http://user:password@127.0.0.1:${port}/`, 'contains credentials'],
  ['file:///etc/passwd', 'not an HTTP URL'],
])('refuses %s without connecting: %s', async (url, reason) => {
  const before = requests.length
  await expect(post(url, { outbound: strict })).rejects.toThrow(reason)
  expect(requests).toHaveLength(before)
})

test('reads no more of an answer than allowed, without its compression', async () => {
  answer = (response) => response.writeHead(400).end('x'.repeat(100_000))
  expect((await post(origin)).body).toHaveLength(1000)
  const bomb = gzipSync(Buffer.alloc(100_000_000))
  answer = (response) => response.writeHead(400, { 'content-encoding': 'gzip' }).end(bomb)
  expect((await post(origin)).body).toHaveLength(1000)
})

test.each([
  ['breaks off', 'HTTP/1.1 201 Created\r\nContent-Length: 99\r\n\r\nhalf', 'half'],
  ['is in an unknown encoding', 'HTTP/1.1 201 Created\r\nContent-Encoding: zip\r\nContent-Length: 1\r\n\r\nx', ''],
])('an answer whose body %s is an answer', async (_, response, body) => {
  const rude = createTcpServer((socket) => socket.on('error', () => {}).once('data', () => socket.end(response)))
  rude.listen(0, '127.0.0.1')
  await once(rude, 'listening')
  atEnd(() => void rude.close())
  const answered = await post(`http://127.0.0.1:${(rude.address() as AddressInfo).port}/`)
  expect([answered.status, answered.body.toString()]).toEqual([201, body])
})

test('an answer whose body never ends is an answer', async () => {
  answer = (response) => response.writeHead(201).write('half')
  const { status, body } = await post(origin, { timeoutMs: 20_000 })
  expect([status, body.toString()]).toEqual([201, 'half'])
})

test('an answer in too many pieces is cut', async () => {
  answer = (response) => {
    const more = () => {
      if (response.destroyed) return
      for (let i = 0; i < 500; i++) response.write('x')
      setImmediate(more)
    }
    more()
  }
  const { status, body } = await post(origin, { maxBytes: 10_000_000, timeoutMs: 20_000 })
  expect(status).toBe(200)
  expect(body.length).toBeLessThan(100_000)
})

test('ends with its signal, whoever is slow', async () => {
  answer = () => {}
  await expect(post(origin, { timeoutMs: 100 })).rejects.toThrow(/timeout/i)
  answer = (response) => response.writeHead(201, { 'content-length': '9' }).write('x')
  await expect(post(origin, { timeoutMs: 100 })).rejects.toThrow(/timeout/i)
})
