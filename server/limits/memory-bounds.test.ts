import { beforeAll, expect, test } from 'vitest'
import { connectAndClose, fill, interlacedPicture } from '../test/support/attacks.ts'
import { onDatabase } from '../test/support/database.ts'
import { longTest } from '../test/support/long.ts'
import { type Person, startParley } from '../test/support/parley.ts'
import { openRawConnection } from '../test/support/raw-socket.ts'
import { bounds as usual } from './bounds.ts'
import { readTimeout } from './response-limits.ts'

// Fills each use of memory up to its bound. The bounds are small, so that tests reach them soon.

const KB = 1024
const bounds = {
  changeBytes: { single: 300 * KB, each: 60 * KB, total: 100 * KB },
  largeBodyBytes: { perAddress: 150 * KB, total: 200 * KB },
  pendingWrites: { count: 20_000, characters: 100_000 },
  unreadBytes: { perUser: 6000 * KB, perAddress: 7000 * KB, total: 9000 * KB },
  cacheBytes: { pages: 3000 * KB, changes: 500 * KB, names: 10 * KB, cookies: 10 * KB, previews: 10 * KB },
  checkIntervalMs: 100,
}
const METRICS_TOKEN = 'a-token-that-only-tests-have'
const parley = await startParley({ TRUST_PROXY: 'loopback', METRICS_TOKEN }, undefined, bounds)
const { ada, bob, cyd } = await parley.people('ada', 'bob', 'cyd')
/** A channel with 120 messages of 10,000 characters. */
let long: string
/** Four channels with 5 of those each. */
let short: string[]

beforeAll(async () => {
  const make = async (name: string) => (await ada.post('/api/channels', { name })).body.id as string
  long = await make('long')
  short = await Promise.all(['a', 'b', 'c', 'd'].map((name) => make(`short-${name}`)))
  await fill(parley.databaseUrl, [long], ada.id, 120)
  await fill(parley.databaseUrl, short, ada.id, 5)
})

async function measured(name: string, label = '') {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const { body } = await parley.app.inject({ url: '/metrics', headers })
  return Number(new RegExp(`^${name}${label.replace(/[{}]/g, '\\$&')} (\\d+)`, 'm').exec(body)?.[1])
}
const changes = async (channelId: string, after: number) =>
  (await ada.get(`/api/channels/${channelId}/changes?after=${after}`)).body
const bytesOf = (body: unknown) => Buffer.byteLength(JSON.stringify(body))
const sync = async (revs: Record<string, number>) => {
  const { epoch } = (await ada.post('/api/sync', { epoch: '', revs: {} })).body
  return (await ada.post('/api/sync', { epoch, revs })).body
}

test('changes beyond the byte or message limit answer reload', async () => {
  const { rev } = (await changes(long, 0)) as { rev: number }
  expect(await changes(long, 0)).toEqual({ rev, reload: true })
  expect(await changes(long, rev - 40)).toEqual({ rev, reload: true })
  const some = await changes(long, rev - 20)
  expect(some.messages).toHaveLength(20)
  expect(bytesOf(some)).toBeLessThan(bounds.changeBytes.single)
  expect(await changes(long, rev + 1)).toEqual({ rev, reload: true })
})

test('changes include the channel when the channel itself changed', async () => {
  const [id] = short as [string]
  const before = (await ada.get(`/api/channels/${id}`)).body.rev
  await ada.patch(`/api/channels/${id}`, { topic: 'weather' })
  const after = await changes(id, before)
  expect(after).toMatchObject({ rev: before + 1, messages: [], channel: { id, topic: 'weather', isMember: true } })
  expect((await sync({ [id]: before })).channels[id]).toEqual(after)
})

test('a sync returns the channels that fit and answers reload for the others', async () => {
  const revs = Object.fromEntries([...short, long].map((id) => [id, 0]))
  const answer = await sync(revs)
  const all = Object.values(answer.channels) as { reload?: true; messages?: unknown[] }[]
  expect(all).toHaveLength(5)
  expect(answer.channels[long]).toMatchObject({ reload: true })
  const brought = all.filter(({ messages }) => messages?.length === 5)
  expect(brought.length).toBeGreaterThan(0)
  expect(all.filter(({ reload }) => reload)).toHaveLength(5 - brought.length)
  expect(bytesOf(answer)).toBeLessThan(bounds.changeBytes.total + 5 * KB)
})

test('caches of pages, changes and names stay within their byte limits', async () => {
  const { rev } = (await changes(long, 0)) as { rev: number }
  const most = { pages: 0, changes: 0, names: 0 }
  for (let n = 1; n <= 40; n++) {
    await changes(long, rev - (n % 25))
    expect((await ada.get(`/api/messages/channel/${long}?limit=50&before=${50 + n}`)).body.length).toBeGreaterThan(40)
    for (const cache of Object.keys(most) as (keyof typeof most)[])
      most[cache] = Math.max(most[cache], await measured('parley_cache_bytes', `{cache="${cache}"}`))
  }
  for (const [cache, bytes] of Object.entries(most)) {
    expect(bytes).toBeGreaterThan(0)
    expect(bytes).toBeLessThanOrEqual(bounds.cacheBytes[cache as keyof typeof most])
  }
})

/** Pipelines requests for pages of a megabyte on one connection, and reads nothing. */
async function askAndNotRead({ token }: Person, address: string) {
  const line = await openRawConnection(parley.address)
  line.socket.pause()
  const ask = (_: unknown, n: number) =>
    `GET /api/messages/channel/${long}?limit=100&before=${101 + (n % 20)} HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\nAuthorization: Bearer ${token}\r\n\r\n`
  line.write(Array.from({ length: 30 }, ask).join(''))
  return line
}
type Line = Awaited<ReturnType<typeof askAndNotRead>>

/** Opens more connections until the server is full: the system buffers the first megabytes of each, sooner or later. */
async function askUntil(isFull: () => Promise<boolean>, ...asks: (() => Promise<Line>)[]) {
  const lines: Line[] = []
  await expect
    .poll(async () => {
      for (const ask of asks) lines.push(await ask())
      return isFull()
    })
    .toBe(true)
  return lines
}
const unread = () => measured('parley_response_bytes_pending')

async function statusOf({ token }: Person, address: string) {
  const headers = { authorization: `Bearer ${token}`, 'x-forwarded-for': address }
  return (await parley.app.inject({ url: `/api/messages/channel/${long}?limit=100`, headers })).statusCode
}

test('a client that does not read its responses is refused more; others are not', async () => {
  const lines = await askUntil(
    async () => (await statusOf(bob, '127.0.0.1')) === 429,
    () => askAndNotRead(bob, '10.0.0.1'),
  )
  expect(await statusOf(ada, '127.0.0.1')).toBe(200)
  expect(await unread()).toBeLessThanOrEqual(bounds.unreadBytes.perUser)
  // Errors are always sent, and small responses are not counted.
  expect((await bob.get('/api/assistant')).status).toBe(200)
  for (const { socket } of lines) socket.resume()
  await expect.poll(unread).toBe(0)
  expect(await statusOf(bob, '127.0.0.1')).toBe(200)
  for (const { socket } of lines) socket.destroy()
})

test('a 1 Mbit/s connection has time to read as much as one person may leave unread', () => {
  const bytes = usual.unreadBytes.perUser
  const neededMs = (bytes * 8) / 1000
  expect(readTimeout(bytes, usual)).toBeGreaterThan(neededMs)
  // The timeout of a small response barely exceeds the minimum.
  expect(readTimeout(4096, usual)).toBeLessThan(61_000)
})

longTest('one address holds no more unread bytes than its limit, whoever is signed in', async () => {
  const lines = await askUntil(
    async () => (await statusOf(ada, '10.0.0.2')) === 429,
    () => askAndNotRead(bob, '10.0.0.2'),
    () => askAndNotRead(cyd, '10.0.0.2'),
  )
  expect(await unread()).toBeLessThanOrEqual(bounds.unreadBytes.perAddress)
  expect(await statusOf(ada, '10.0.0.1')).toBe(200)
  for (const { socket } of lines) socket.destroy()
  await expect.poll(unread).toBe(0)
})

longTest('beyond a node’s limit of unread bytes, the longest stalled responses are aborted', async () => {
  const cuts = async () => (await measured('parley_responses_aborted_total', '{why="crowded"}')) || 0
  const before = await cuts()
  const lines = await askUntil(
    async () => (await cuts()) > before,
    () => askAndNotRead(bob, '10.0.0.3'),
    () => askAndNotRead(cyd, '10.0.0.4'),
  )
  expect(await unread()).toBeLessThanOrEqual(bounds.unreadBytes.total)
  const [oldest] = lines as [Line]
  oldest.socket.resume()
  await oldest.closed
  for (const { socket } of lines) socket.destroy()
  await expect.poll(unread).toBe(0)
})

/** Starts a call with a large body, and doesn't finish it. */
async function beginBody({ token }: Person, address: string, bytes: number) {
  const line = await openRawConnection(parley.address)
  const head = `POST /api/channels/compare HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\n`
  line.write(
    `${head}Authorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${bytes + 1}\r\n\r\n"${'x'.repeat(bytes - 1)}`,
  )
  return line
}
const bodyBytes = () => measured('parley_request_body_bytes')

longTest('large unfinished request bodies are limited in memory, and small ones still get through', async () => {
  const first = await beginBody(bob, '10.0.0.5', 120 * KB)
  await expect.poll(bodyBytes).toBe(120 * KB)
  const second = await beginBody(bob, '10.0.0.5', 120 * KB)
  await second.closed
  expect(second.received()).toMatch(/^HTTP\/1\.1 429 /)
  const other = await beginBody(cyd, '10.0.0.6', 120 * KB)
  await other.closed
  expect(other.received()).toMatch(/^HTTP\/1\.1 503 /)
  const { status } = await ada.post('/api/messages', { channelId: short[0], content: 'small' })
  expect(status).toBe(201)
  first.write('"')
  await expect.poll(bodyBytes).toBe(0)
  await expect.poll(first.received).toMatch(/^HTTP\/1\.1 4\d\d /)
  expect((await bob.post('/api/channels/compare', { held: {}, more: 'x'.repeat(100 * KB) })).status).toBe(200)
})

test('the memory of sends waiting for the database is limited', async () => {
  const [channelId] = short
  const settled: number[] = []
  await onDatabase(parley.databaseUrl, async (client) => {
    await client.query('begin')
    await client.query('select from channels where id = $1 for update', [channelId])
    const sends = Array.from({ length: 15 }, async () => {
      const { status } = await ada.post('/api/messages', { channelId, content: 'x'.repeat(10_000) })
      settled.push(status)
    })
    await expect.poll(() => settled.filter((status) => status === 503).length).toBeGreaterThanOrEqual(5)
    await client.query('rollback')
    await Promise.all(sends)
  })
  expect(settled.filter((status) => status === 201).length).toBeLessThanOrEqual(10)
  expect((await ada.post('/api/messages', { channelId, content: 'x'.repeat(10_000) })).status).toBe(201)
})

test('a socket that connects and closes in one payload leaves nothing behind', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  const before = timers()
  expect(await connectAndClose({ address: parley.address, token: ada.token }, 50)).toBe(50)
  await expect.poll(() => parley.app.realtime.io.engine.clientsCount).toBe(0)
  await expect.poll(timers).toBeLessThan(before + 25)
})

test('while too many pixels are being decoded, a picture is stored without a thumbnail', async () => {
  const upload = async (bytes: Buffer) => (await ada.upload(undefined, 'x.png', new Uint8Array(bytes))).body
  const large = await interlacedPicture(4500, 4500)
  expect(await upload(large)).toMatchObject({ type: 'image/png', size: large.length, thumbnailUrl: null, width: null })
  expect(await upload(await interlacedPicture(400, 300))).toMatchObject({ width: 400, height: 300 })
})
