import { createECDH } from 'node:crypto'
import { expect, test } from 'vitest'
import { parseAllowedHosts } from '../outbound/allowed-hosts.ts'
import { createOutbound } from '../outbound/outbound.ts'
import { atEnd } from '../test/support/cleanup.ts'
import { startPushService } from '../test/support/push-service.ts'
import { createPushKeys } from './push-keys.ts'
import { createPushSender, MAX_PAYLOAD_BYTES, type PushTarget, pushTargetProblem } from './send-push.ts'

const service = await startPushService()
const encrypted = await startPushService({ tls: true })
atEnd(() => {
  service.close()
  encrypted.close()
})

const keys = createPushKeys('a secret of the nodes', 'one')
const allowed = parseAllowedHosts(['127.0.0.1'])
const openSender = (more = {}) =>
  createPushSender({
    keys,
    outbound: createOutbound({ allowed, purpose: 'tests' }),
    contact: 'https://chat.example.com',
    ...more,
  })
const send = openSender()

function subscribe(at = service, publicKey = keys.publicKey): PushTarget {
  const { endpoint, keys } = at.subscribe(publicKey)
  return { endpoint, ...keys }
}
const options = (more = {}) => ({
  ttlSeconds: 60,
  urgency: 'high' as const,
  signal: AbortSignal.timeout(10_000),
  ...more,
})

test.each([
  ['http', service],
  ['https', encrypted],
])('delivers a push over %s', async (_, at) => {
  const target = subscribe(at)
  const payload = 'Ada: ☕ 在这里'
  const outcome = await send(target, payload, options())
  expect(outcome).toEqual({ result: 'delivered', status: 201, detail: null, retryAfterSeconds: null })
  expect(at.received.filter(({ endpoint }) => endpoint === target.endpoint)).toMatchObject([
    { payload, ttl: 60, urgency: 'high' },
  ])
})

test('delivers as much as fits, and refuses more', async () => {
  const largest = 'x'.repeat(MAX_PAYLOAD_BYTES)
  expect(await send(subscribe(), largest, options())).toMatchObject({ result: 'delivered' })
  expect(service.received.at(-1)?.payload).toBe(largest)
  const before = service.attempts.length
  await expect(send(subscribe(), 'é'.repeat(MAX_PAYLOAD_BYTES / 2 + 1), options())).rejects.toThrow(RangeError)
  expect(service.attempts).toHaveLength(before)
})

test.each([
  [200, 'delivered'],
  [202, 'delivered'],
  [204, 'delivered'],
  [301, 'refused'],
  [307, 'refused'],
  [400, 'refused'],
  [401, 'refused'],
  [403, 'refused'],
  [404, 'gone'],
  [406, 'failed'],
  [408, 'failed'],
  [410, 'gone'],
  [413, 'refused'],
  [429, 'failed'],
  [500, 'failed'],
  [503, 'failed'],
])('an answer of %i means %s', async (status, result) => {
  const target = subscribe()
  const body = status === 204 ? undefined : ' {\n "reason":\t"Because"\u202e }\u0000\n'
  service.answer(target.endpoint, { status, headers: { location: '/elsewhere' }, ...(body && { body }) })
  const detail = result === 'delivered' ? null : '{ "reason": "Because" }'
  expect(await send(target, 'hello', options())).toEqual({ result, status, detail, retryAfterSeconds: null })
  expect(service.attempts.filter((endpoint) => endpoint === target.endpoint)).toHaveLength(1)
})

test('a detail has at most 200 characters, and is null without a text', async () => {
  const target = subscribe()
  service.answer(target.endpoint, { status: 400, body: '😀'.repeat(5000) }, 1)
  expect((await send(target, 'hello', options())).detail).toBe('😀'.repeat(200))
  service.answer(target.endpoint, { status: 400, body: '\n' }, 1)
  expect((await send(target, 'hello', options())).detail).toBeNull()
})

test.each<[string, number, number | null]>([
  ['7', 503, 7],
  ['0', 429, 1],
  ['999999999999', 503, 86_400],
  [new Date(Date.now() + 40 * 86_400_000).toUTCString(), 503, 86_400],
  ['Wed, 21 Oct 2015 07:28:00 GMT', 503, 1],
  ['-5', 503, null],
  ['soon', 503, null],
  ['7', 400, null],
])('Retry-After %j with %i is %j seconds', async (value, status, expected) => {
  const target = subscribe()
  service.answer(target.endpoint, { status, headers: { 'retry-after': value } })
  expect((await send(target, 'hello', options())).retryAfterSeconds).toBe(expected)
})

test('a date in Retry-After counts from now', async () => {
  const target = subscribe()
  const date = new Date(Date.now() + 3_600_000).toUTCString()
  service.answer(target.endpoint, { status: 503, headers: { 'retry-after': date } })
  const { retryAfterSeconds } = await send(target, 'hello', options())
  expect(retryAfterSeconds).toBeGreaterThan(3000)
  expect(retryAfterSeconds).toBeLessThanOrEqual(3600)
})

test('a subscription of other keys refuses, one that ended is gone', async () => {
  const other = subscribe(service, createPushKeys('another secret', 'one').publicKey)
  expect(await send(other, 'hello', options())).toMatchObject({ result: 'refused', status: 403 })
  const ended = subscribe()
  service.unsubscribe(ended.endpoint)
  expect(await send(ended, 'hello', options())).toMatchObject({ result: 'gone', status: 410, detail: 'unsubscribed' })
})

test('no answer is a failure, or a refusal if there will never be one', async () => {
  const closed = await startPushService()
  const target = subscribe(closed)
  closed.close()
  const failed = { result: 'failed', status: null, retryAfterSeconds: null }
  expect(await send(target, 'hello', options())).toEqual({ ...failed, detail: 'does not respond' })
  const strict = openSender({ outbound: createOutbound({ allowed: parseAllowedHosts([]), purpose: 'tests' }) })
  expect(await strict(subscribe(), 'hello', options())).toEqual({ ...failed, detail: 'not a public address' })
  const refused = { result: 'refused', status: null }
  for (const endpoint of ['not a URL', 'ftp://127.0.0.1/', 'https://user@127.0.0.1/', ''])
    expect(await send({ ...target, endpoint }, 'hello', options())).toMatchObject(refused)
})

test('a timeout is a failure, and a stopping server rejects with its reason', async () => {
  const target = subscribe()
  service.answer(target.endpoint, { status: 201, delayMs: 60_000 })
  const timeout = AbortSignal.timeout(50)
  const expected = { result: 'failed', status: null, detail: 'no answer in time', retryAfterSeconds: null }
  expect(await send(target, 'hello', options({ signal: timeout }))).toEqual(expected)
  const other = subscribe()
  service.answer(other.endpoint, { status: 201, delayMs: 60_000 })
  const stop = new AbortController()
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(60_000)])
  const sent = send(other, 'hello', options({ signal }))
  await expect.poll(() => service.attempts).toContain(other.endpoint)
  const reason = new Error('stopping')
  stop.abort(reason)
  await expect(sent).rejects.toBe(reason)
  await expect(send(target, 'hello', options({ signal: stop.signal }))).rejects.toBe(reason)
})

test('one token is used for many pushes, until one is refused', async () => {
  const target = subscribe()
  const token = async () => {
    await send(target, 'hello', options())
    return service.received.at(-1)?.headers.authorization
  }
  const first = await token()
  expect(await token()).toBe(first)
  service.answer(target.endpoint, { status: 403 }, 1)
  expect(await send(target, 'hello', options())).toMatchObject({ result: 'refused' })
  expect(await token()).not.toBe(first)
})

const curve = createECDH('prime256v1')
const point = curve.generateKeys()
const offCurve = Buffer.from(point).fill(1, 40)
const compressed = curve.getPublicKey(null, 'compressed')
const url = (bytes: Buffer) => bytes.toString('base64url')

test.each<[string, Partial<PushTarget>, keyof PushTarget | null]>([
  ['a subscription', {}, null],
  ['padded keys', { p256dh: `${url(point)}=`, auth: `${url(Buffer.alloc(16))}==` }, null],
  ['a named host without TLS', { endpoint: 'http://127.0.0.1:8080/push' }, null],
  ['a host of the internet', { endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/x' }, null],
  ['a long endpoint', { endpoint: `https://push.example.com/${'x'.repeat(975)}` }, null],
  ['too long an endpoint', { endpoint: `https://push.example.com/${'x'.repeat(976)}` }, 'endpoint'],
  ['no endpoint', { endpoint: '' }, 'endpoint'],
  ['a line break', { endpoint: 'https://push.example.com/x\n' }, 'endpoint'],
  ['no TLS', { endpoint: 'http://push.example.com/x' }, 'endpoint'],
  ['another protocol', { endpoint: 'ftp://127.0.0.1/x' }, 'endpoint'],
  ['credentials', { endpoint: 'https://user:password@push.example.com/x' }, 'endpoint'],
  ['a private address', { endpoint: 'https://10.0.0.1/x' }, 'endpoint'],
  ['a private address in disguise', { endpoint: 'https://0x0a000001/x' }, 'endpoint'],
  ['a port of mail', { endpoint: 'https://push.example.com:25/x' }, 'endpoint'],
  ['no key', { p256dh: '' }, 'p256dh'],
  ['a point off the curve', { p256dh: url(offCurve) }, 'p256dh'],
  ['a hybrid point', { p256dh: url(Buffer.from(point).fill(6 + ((point[64] as number) % 2), 0, 1)) }, 'p256dh'],
  ['a compressed point', { p256dh: url(compressed) }, 'p256dh'],
  ['a key with a line break', { p256dh: `${url(point)}\n` }, 'p256dh'],
  ['a short secret', { auth: url(Buffer.alloc(15)) }, 'auth'],
  ['a long secret', { auth: url(Buffer.alloc(17)) }, 'auth'],
  ['no secret', { auth: '' }, 'auth'],
])('the problem of %s', async (_, change, problem) => {
  const endpoint = 'https://push.example.com/x'
  const target = { endpoint, p256dh: url(point), auth: url(Buffer.alloc(16)), ...change }
  expect(pushTargetProblem(target, allowed)).toBe(problem)
  if (problem === 'p256dh' || problem === 'auth') {
    const detail = `${problem} is not a key of a browser`
    expect(await send(target, 'hello', options())).toMatchObject({ result: 'refused', status: null, detail })
  }
})
