import { beforeAll, expect, test } from 'vitest'
import { fill } from '../test/support/attacks.ts'
import { startFaultProxy } from '../test/support/fault-proxy.ts'
import { longTest } from '../test/support/long.ts'
import { listen, type Person, startParley } from '../test/support/parley.ts'
import { frame, openRawConnection, openRawWebSocket } from '../test/support/raw-socket.ts'

// Clients that are slow, stop reading, or vanish. The bounds are small, so that tests reach them soon.

let parley: Awaited<ReturnType<typeof startParley>>
let ada: Person
let bob: Person
let channelId: string

beforeAll(async () => {
  const bounds = {
    headersTimeoutMs: 800,
    bodyTimeoutMs: 800,
    idleTimeoutMs: 3000,
    handshakeTimeoutMs: 800,
    closeTimeoutMs: 300,
    readTimeoutMs: 500,
    minBytesPerSecond: 10 * 1024 * 1024,
    unsentSocketBytes: 512 * 1024,
    checkIntervalMs: 100,
  }
  parley = await startParley({}, undefined, { ...bounds, requests: 50, pendingEvents: 30, viewedChannels: 3 })
  ada = await parley.person('ada')
  bob = await parley.person('bob')
  channelId = (await ada.get('/api/channels')).body.channels[0].id
})

const socketsOf = ({ id }: Person) =>
  [...parley.app.realtime.io.of('/').sockets.values()].filter(({ data }) => data.userId === id).length
const cutFor = async (why: string) => {
  const { body } = await parley.app.inject('/metrics')
  return Number(new RegExp(`parley_sockets_closed_total\\{why="${why}"\\} (\\d+)`).exec(body)?.[1] ?? 0)
}
const works = async () => expect((await ada.get('/api/channels')).status).toBe(200)

test('a socket that answers pings but never reads is disconnected when its buffer is full; others receive everything', async () => {
  const sue = await parley.person('sue')
  const listener = await bob.listen()
  const stuck = await openRawWebSocket(parley.address, sue.token)
  await expect.poll(() => socketsOf(sue)).toBe(1)
  stuck.socket.pause()
  // It still answers pings.
  const alive = setInterval(() => stuck.write(frame('3')), 100)
  let sent = 0
  while (socketsOf(sue) > 0 && sent < 4000) {
    await Promise.all(Array.from({ length: 50 }, (_, n) => ada.say(channelId, `${sent + n} ${'x'.repeat(9900)}`)))
    sent += 50
  }
  clearInterval(alive)
  expect(socketsOf(sue)).toBe(0)
  expect(await cutFor('unread')).toBe(1)
  await expect.poll(() => listener.all('message:created').length).toBe(sent)
  const waits = async () => {
    const { body } = await parley.app.inject('/metrics')
    return Number(/parley_socket_bytes_pending\{of="most"\} (\d+)/.exec(body)?.[1])
  }
  await expect.poll(waits).toBeLessThan(512 * 1024)
})

longTest('a connection that dies silently is detected on both sides, and its user goes offline', async () => {
  const tom = await parley.person('tom')
  const watcher = await bob.listen()
  const { opts } = parley.app.realtime.io.engine
  const usual = { pingInterval: opts.pingInterval, pingTimeout: opts.pingTimeout }
  Object.assign(opts, { pingInterval: 400, pingTimeout: 400 })
  const proxy = await startFaultProxy(parley.address)
  const { socket } = await listen(proxy.address, tom.token)
  await watcher.waitFor('user:status_changed', ({ userId, status }) => userId === tom.id && status === 'online')
  proxy.freeze()
  await expect.poll(() => socket.connected).toBe(false)
  await expect.poll(() => socketsOf(tom)).toBe(0)
  await watcher.waitFor('user:status_changed', ({ userId, status }) => userId === tom.id && status === 'offline')
  Object.assign(opts, usual)
})

test.each([
  ['nothing at all', ''],
  ['half a head', 'GET /api/users HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
  ['half a handshake', 'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1\r\nUpgrade: websocket\r\n'],
  [
    'half a body',
    'POST /api/auth/sign-in/email HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
  ],
])('a client that sends %s is disconnected', async (_, text) => {
  const line = await openRawConnection(parley.address)
  line.write(text)
  await line.closed
  expect(line.received()).toMatch(/^(HTTP\/1.1 408 |$)/)
  await works()
})

test('a body that trickles in byte by byte times out', async () => {
  const line = await openRawConnection(parley.address)
  line.write(
    `POST /api/messages HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.token}\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n`,
  )
  const drops = setInterval(() => line.write(' '), 50)
  await line.closed
  clearInterval(drops)
  await works()
})

test('a socket that never authenticates, or fails to, is disconnected', async () => {
  for (const line of [await openRawWebSocket(parley.address), await openRawWebSocket(parley.address, 'nobody')])
    await line.closed
  await works()
})

longTest('a client that stops reading a file is disconnected; a slow one receives all of it', async () => {
  const bytes = Buffer.alloc(24 * 1024 * 1024, 'parley ')
  const { body: file } = await ada.upload(channelId, 'long.txt', bytes)
  const asking = `GET ${file.url} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer ${ada.token}\r\n\r\n`
  const connections = () => new Promise<number>((resolve) => parley.app.server.getConnections((_, n) => resolve(n)))
  const before = await connections()
  const [stuck, reader] = [await openRawConnection(parley.address), await openRawConnection(parley.address)]
  stuck.socket.pause()
  stuck.write(asking)
  reader.write(asking)
  await reader.closed
  expect(reader.received().length).toBeGreaterThan(bytes.length)
  await expect.poll(connections).toBeLessThanOrEqual(before)
  stuck.socket.resume()
  await stuck.closed
  expect(stuck.received().length).toBeLessThan(bytes.length)
})

test('a client that does not read its responses is disconnected', async () => {
  const { id } = (await ada.post('/api/channels', { name: 'long' })).body
  await fill(parley.databaseUrl, [id], ada.id, 100)
  const stuck = await openRawConnection(parley.address)
  stuck.socket.pause()
  const request = `GET /api/messages/channel/${id}?limit=100 HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${ada.token}\r\n\r\n`
  for (let n = 0; n < 15; n++) stuck.write(request)
  const cuts = async () =>
    Number(
      /parley_responses_aborted_total\{why="slow"\} (\d+)/.exec((await parley.app.inject('/metrics')).body)?.[1] ?? 0,
    )
  await expect.poll(cuts).toBeGreaterThan(0)
  stuck.socket.resume()
  await stuck.closed
  await works()
})

test('requests beyond a node’s limit are refused with Retry-After, and health checks still answer', async () => {
  const { rows } = await parley.app.pool.query('select pg_backend_pid() as pid')
  expect(rows).toHaveLength(1)
  const answers = await Promise.all(Array.from({ length: 200 }, () => ada.get('/api/channels')))
  const refused = answers.filter(({ status }) => status !== 200)
  expect(refused.length).toBeGreaterThan(0)
  for (const answer of refused)
    expect(answer).toMatchObject({ status: 503, code: 'unavailable', headers: { 'retry-after': '2' } })
  expect((await parley.app.inject('/healthz')).statusCode).toBe(200)
  await works()
})

test('a socket that sends requests faster than they are answered is disconnected', async () => {
  const vic = await parley.person('vic')
  const { socket } = await vic.listen()
  for (let n = 0; n < 500; n++) socket.emit('channel:join', channelId)
  await expect.poll(() => socket.connected).toBe(false)
  expect(await cutFor('asked')).toBe(1)
  await works()
})

test('a socket views channels up to the limit; leaving one frees a place', async () => {
  const wim = await parley.person('wim')
  const listener = await wim.listen()
  const ids: string[] = []
  for (const n of [1, 2, 3, 4]) ids.push((await wim.post('/api/channels', { name: `looked-at-${n}` })).body.id)
  const [first, , , last] = ids as [string, string, string, string]
  for (const id of ids) listener.socket.emit('channel:join', id)
  await listener.waitFor('channel:error', ({ error }) => /Too many/.test(error))
  expect(listener.all('channel:joined').map((it) => it.channelId)).toEqual(ids.slice(0, 3))
  listener.socket.emit('channel:leave', first)
  listener.socket.emit('channel:join', last)
  await listener.waitFor('channel:joined', ({ channelId }) => channelId === last)
})

test('a socket that sends a binary packet or a large frame is closed, even before it is authenticated', async () => {
  const packets = [
    '451-["typing",{"_placeholder":true,"num":0}]',
    '461-["typing"]',
    new Uint8Array(10),
    `42["typing","${'x'.repeat(4096)}"]`,
  ]
  for (const packet of packets)
    for (const token of [bob.token, undefined]) {
      const line = await openRawWebSocket(parley.address, token)
      line.write(typeof packet === 'string' ? frame(`${packet}`) : frame(packet, 2))
      await line.closed
    }
  // Three packets for each of the two sockets.
  expect(await cutFor('binary')).toBe(6)
  await works()
})
