import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test } from 'vitest'
import { atEnd } from '../test/support/cleanup.ts'
import { startParley } from '../test/support/parley.ts'
import { openRawConnection } from '../test/support/raw-socket.ts'
import { limitConnections } from './connection-limits.ts'

// Connections that have sent no request, or are idle between two.

const PER_ADDRESS = 3
const TOTAL = 5
const start = (settings: NodeJS.ProcessEnv = {}) =>
  startParley(settings, undefined, { idleConnections: { perAddress: PER_ADDRESS, total: TOTAL } })

const HEALTH = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n'

type Line = Awaited<ReturnType<typeof openRawConnection>>

/** The indexes of the closed connections. */
const closedOf = async (lines: Line[]) => {
  const none = new Promise((resolve) => setTimeout(resolve, 100))
  const closed = await Promise.all(lines.map(({ closed }) => Promise.race([closed.then(() => true), none])))
  return closed.flatMap((isClosed, n) => (isClosed ? [n] : []))
}

async function open(address: string, count: number) {
  const lines: Line[] = []
  for (let n = 0; n < count; n++) lines.push(await openRawConnection(address))
  return lines
}

test('beyond the limit of an address, its oldest connection without a request is closed', async () => {
  const { address } = await start()
  const lines = await open(address, PER_ADDRESS + 2)
  expect(await closedOf(lines)).toEqual([0, 1])
  const [, , third] = lines as [Line, Line, Line]
  third.write(HEALTH)
  await expect.poll(third.received).toMatch(/^HTTP\/1\.1 200 /)
})

test('unfinished headers and kept-alive connections count; a request in progress does not', async () => {
  const parley = await start()
  const ada = await parley.person('ada')
  const [busy, begun, kept] = (await open(parley.address, 3)) as [Line, Line, Line]
  busy.write(
    `POST /api/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.token}\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{`,
  )
  begun.write('GET /healthz HTTP/1.1\r\nX-Slow: ')
  kept.write(HEALTH)
  await expect.poll(kept.received).toMatch(/^HTTP\/1\.1 200 /)
  const more = await open(parley.address, PER_ADDRESS)
  expect(await closedOf([busy, begun, kept, ...more])).toEqual([1, 2])
  busy.write('}')
  await expect.poll(busy.received).toMatch(/^HTTP\/1\.1 400 /)
})

test('connections of a trusted proxy are limited in total only', async () => {
  const { address } = await start({ TRUST_PROXY: 'loopback' })
  expect(await closedOf(await open(address, TOTAL + 1))).toEqual([0])
})

test('a WebSocket does not count as an idle connection', async () => {
  const parley = await start()
  const ada = await parley.person('ada')
  const listener = await ada.listen()
  await open(parley.address, TOTAL)
  const channelId = (await ada.get('/api/channels')).body.channels[0].id
  await ada.say(channelId, 'still there')
  await expect.poll(() => listener.all('message:created')).toHaveLength(1)
})

test('idle connections are closed down to the limit; one with a pipelined request in progress is not idle', async () => {
  const held: (() => void)[] = []
  const server = createServer((_, response) => void held.push(() => response.end()))
  limitConnections(server, { idleConnections: { perAddress: PER_ADDRESS, total: TOTAL } }, [])
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(() => void server.close())
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const twice = await openRawConnection(address)
  twice.write(HEALTH + HEALTH)
  const lines = [twice]
  for (let n = 1; n < 20; n++) {
    await expect.poll(() => held.length).toBe(n + 1)
    const line = await openRawConnection(address)
    line.write(HEALTH)
    lines.push(line)
  }
  await expect.poll(() => held.length).toBe(21)
  const second = held.splice(1, 1)
  for (const answer of held) answer()
  await expect.poll(async () => (await closedOf(lines)).length).toBe(20 - PER_ADDRESS - 1)
  expect(await closedOf([twice])).toEqual([])
  for (const answer of second) answer()
  await expect.poll(() => twice.received().match(/HTTP\/1\.1 200/g)).toHaveLength(2)
})
