import { once } from 'node:events'
import { beforeAll, expect, test } from 'vitest'
import { type Listener, type Person, startParley } from '../test/support/parley.ts'
import { openRawConnection, upgrade } from '../test/support/raw-socket.ts'
import { bounds } from './bounds.ts'

// The limits of one user, one address and one socket, which do not affect the others.

/** Small bursts with slow refills, so that the tests don't depend on the machine's speed. */
const rates = {
  ...bounds.rates,
  address: { perSecond: 0.01, burst: 3000 },
  reads: { perSecond: 1, burst: 60 },
  sends: { perSecond: 1, burst: 30 },
  writes: { perSecond: 1, burst: 40 },
  handshakes: { perSecond: 0.01, burst: 10 },
  events: { perSecond: 1, burst: 30 },
}
const SOCKETS = 5

const parley = await startParley({ RATE_LIMIT: 'on', TRUST_PROXY: 'loopback' }, undefined, {
  rates,
  socketsPerUser: SOCKETS,
})
const { ada, bob, eve } = await parley.people('ada', 'bob', 'eve')
let channelId: string

beforeAll(async () => {
  channelId = (await ada.get('/api/channels')).body.channels[0].id
})

const rateLimited = {
  status: 429,
  code: 'rate_limited',
  headers: { 'retry-after': expect.stringMatching(/^[1-9]\d*$/) },
}
const distinct = <T>(all: T[]) => [...new Set(all)]

/** Makes all calls at once; returns the number of successes, and one of the refusals. */
async function flood<A extends { status: number }>(count: number, ask: (n: number) => Promise<A>) {
  const answers = await Promise.all(Array.from({ length: count }, (_, n) => ask(n)))
  const refused = answers.filter(({ status }) => status === 429)
  expect(distinct(answers.map(({ status }) => status)).filter((status) => status >= 300 && status !== 429)).toEqual([])
  return { done: answers.length - refused.length, refusal: refused[0] }
}

/** A token of another session of the same user. */
async function anotherToken({ username, password }: Person) {
  const signedIn = await parley.app.inject({
    method: 'POST',
    url: '/api/auth/sign-in/username',
    payload: { username, password },
    headers: { 'x-forwarded-for': `10.1.0.${username.length}` },
  })
  const cookie = signedIn.cookies.map((it) => `${it.name}=${encodeURIComponent(it.value)}`).join('; ')
  return (await parley.app.inject({ url: '/api/auth/token', headers: { cookie } })).json().token as string
}

test('sends beyond the burst are refused for all of a person’s tokens, paths and headers; others keep writing', async () => {
  const tokens = [eve.token, ...(await Promise.all([1, 2, 3].map(() => anotherToken(eve))))]
  const paths = ['/api/messages', '/api/messages?x=1', '/api/%6dessages', '/api/threads/messages']
  const { id: parentMessageId } = await ada.say(channelId, 'a parent')
  const { done, refusal } = await flood(400, async (n) => {
    const url = paths[n % 4] as string
    const answer = await parley.app.inject({
      method: 'POST',
      url,
      payload: { content: `flood ${n}`, ...(n % 4 === 3 ? { parentMessageId } : { channelId }) },
      headers: {
        authorization: `Bearer ${tokens[(n >> 2) % 4]}`,
        'x-forwarded-for': `10.0.${n % 250}.7`,
        'x-http-method-override': 'GET',
        'x-user-id': ada.id,
      },
    })
    return { status: answer.statusCode, code: answer.json().error?.code, headers: answer.headers }
  })
  expect(refusal).toMatchObject(rateLimited)
  expect(done).toBeGreaterThanOrEqual(rates.sends.burst)
  expect(done).toBeLessThan(200)
  expect((await bob.post('/api/messages', { channelId, content: 'undisturbed' })).status).toBe(201)
  // Refused messages were not stored.
  const { rows } = await parley.app.pool.query('select count(*)::int as n from messages where "userId" = $1', [eve.id])
  expect(rows[0].n).toBe(done)
  // Reading still works.
  expect((await eve.get(`/api/messages/channel/${channelId}`)).status).toBe(200)
})

test.each(['/API/messages', '/api/messages/', '//api/messages', '/api//messages'])(
  '%s does not bypass the send limit',
  async (url) => expect(await bob.post(url, { channelId, content: 'x' })).toMatchObject({ status: 404 }),
)

test('reads and writes have separate rate limits', async () => {
  const fay = await parley.person('fay')
  const reads = await flood(rates.reads.burst * 2, () => fay.get(`/api/users/${fay.id}`))
  expect(reads.refusal).toMatchObject(rateLimited)
  expect(reads.done).toBeGreaterThanOrEqual(rates.reads.burst)
  const writes = await flood(rates.writes.burst * 3, () => fay.put('/api/users/status', { user_status: '🎧' }))
  expect(writes.refusal).toMatchObject(rateLimited)
  expect(writes.done).toBeGreaterThanOrEqual(rates.writes.burst)
  expect((await fay.post('/api/messages', { channelId, content: 'still' })).status).toBe(201)
})

test('an address beyond its rate is refused on every path, with or without a token; others are not', async () => {
  const ask = (address: string) =>
    parley.app.inject({ url: '/api/users', headers: { 'x-forwarded-for': address } }).then((it) => it.statusCode)
  // One IPv6 household.
  const statuses: number[] = []
  for (let from = 0; from < rates.address.burst + 500; from += 500)
    statuses.push(
      ...(await Promise.all(Array.from({ length: 500 }, (_, n) => ask(`2001:db8:7:1::${(from + n).toString(16)}`)))),
    )
  expect(distinct(statuses).sort()).toEqual([401, 429])
  // Sockets don't bypass it, whatever their transport.
  const header = 'x-forwarded-for'
  const polled = await fetch(`${parley.address}/socket.io/?EIO=4&transport=polling`, {
    headers: { [header]: '2001:db8:7:1::2' },
  })
  expect([polled.status, polled.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^[1-9]/)])
  const line = await openRawConnection(parley.address)
  line.write(upgrade(`${header}: 2001:db8:7:1::3`))
  await line.closed
  expect(line.received()).toMatch(/^HTTP\/1\.1 429 .*\r\nRetry-After: [1-9]/)
  expect(await ask('2001:db8:7:2::1')).toBe(401)
  expect(
    (await parley.app.inject({ url: '/readyz', headers: { 'x-forwarded-for': '2001:db8:7:1::1' } })).statusCode,
  ).toBe(200)
})

test('a person opens sockets up to the rate limit; others are not affected', async () => {
  const gus = await parley.person('gus')
  const tries = await Promise.allSettled(Array.from({ length: 30 }, () => gus.listen()))
  const refused = tries.filter((it) => it.status === 'rejected')
  expect(tries.length - refused.length).toBeLessThanOrEqual(rates.handshakes.burst)
  for (const { reason } of refused) expect(reason.message).toBe('rate_limited')
  expect((await ada.listen()).socket.connected).toBe(true)
})

test('a person holds sockets up to the limit and gets another after closing one', async () => {
  const hal = await parley.person('hal')
  const open: Listener[] = []
  for (let n = 0; n < SOCKETS; n++) open.push(await hal.listen())
  await expect(hal.listen()).rejects.toThrow('rate_limited')
  open[0]?.socket.close()
  await expect.poll(() => parley.app.realtime.io.of('/').adapter.rooms.get(`user:${hal.id}`)?.size).toBe(SOCKETS - 1)
  expect((await hal.listen()).socket.connected).toBe(true)
})

test('a socket that sends too many events is warned once, then ignored, then disconnected; other sockets keep receiving', async () => {
  const [flooder, listener] = [await eve.listen(), await bob.listen()]
  for (let n = 0; n < 300; n++) flooder.socket.emit('channel:join', channelId)
  await flooder.waitFor('channel:error', ({ error }) => /Too many requests/.test(error))
  expect(flooder.socket.connected).toBe(true)
  const cut = once(flooder.socket as never, 'disconnect')
  for (let n = 0; n < 10_000; n++) flooder.socket.emit('typing', { channelId })
  await cut
  expect(flooder.all('channel:error').length).toBeLessThan(5)
  await ada.say(channelId, 'heard by those who listen')
  await listener.waitFor('message:created', ({ content }) => content === 'heard by those who listen')
})
