import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { atEnd } from '../test/support/cleanup.ts'
import { parseAllowedHosts } from './allowed-hosts.ts'
import { createOutbound } from './outbound.ts'

const BIG = 'x'.repeat(3_000_000)
const requests: IncomingMessage[] = []
let sockets = 0
const site = createServer((request, response) => {
  requests.push(request)
  if (request.url === '/big') response.writeHead(201, { 'content-encoding': 'gzip' }).end(gzipSync(BIG))
  else if (request.url === '/endless') response.writeHead(200).write(BIG)
  else response.writeHead(302, { location: '/big' }).end()
})
site.on('connection', (socket) => {
  sockets++
  socket.on('close', () => sockets--)
})
site.listen(0, '127.0.0.1')
await once(site, 'listening')
atEnd(() => void site.close())
const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`

const outbound = createOutbound({ purpose: 'tests', allowed: parseAllowedHosts(['127.0.0.1']) })
const open = (path: string, more = {}) =>
  outbound.open(`${origin}${path}`, { accept: '*/*', signal: AbortSignal.timeout(5000), ...more })

test('opens a body of any size, with headers, after redirects that it may follow', async () => {
  const followed = await open('/to-big', { headers: { authorization: 'Bearer x' } })
  expect(followed).toMatchObject({ status: 201, url: `${origin}/big` })
  expect(await text(followed.body)).toBe(BIG)
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer x', 'Bearer x'])
  expect(requests[0]?.headers['user-agent']).toContain('Parley; tests')
  const refused = await open('/to-big', { mayFollow: (url: URL) => url.pathname !== '/big' })
  expect(refused).toMatchObject({ status: 302, headers: { location: '/big' } })
  refused.body.destroy()
  expect(requests).toHaveLength(3)
})

test('a destroyed body and an aborted request close their connections', async () => {
  const { body } = await open('/endless')
  body.destroy()
  const stop = new AbortController()
  const stopped = await open('/endless', { signal: stop.signal })
  stopped.body.on('error', () => {})
  stop.abort()
  for (let tries = 0; sockets > 0 && tries < 100; tries++) await sleep(50)
  expect(sockets).toBe(0)
  expect(stopped.body.destroyed).toBe(true)
})
