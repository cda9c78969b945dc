import { createECDH } from 'node:crypto'
import { expect, test } from 'vitest'
import webPush, { type RequestDetails } from 'web-push'
import { createPushKeys } from '../../push/push-keys.ts'
import { atEnd } from './cleanup.ts'
import { decryptPush } from './decrypt-push.ts'
import { startPushService } from './push-service.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')

test('decrypts the example of RFC 8291', () => {
  const curve = createECDH('prime256v1')
  curve.setPrivateKey(bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'))
  const keys = { curve, auth: bytes('BTBZMqHH6r4Tts7J_aSIgg') }
  const body = bytes(
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
  )
  expect(decryptPush(body, keys)).toBe('When I grow up, I want to be a watermelon')
  body.fill(1, 90)
  expect(() => decryptPush(body, keys)).toThrow()
})

const service = await startPushService()
atEnd(() => service.close())
const keys = createPushKeys('a secret of the nodes', 'one')
const subject = 'https://chat.example.com'
const HOUR_SECONDS = 3600

type Change = (details: RequestDetails, endpoint: string) => void

/** The request of a correct push, changed. */
async function push(change: Change) {
  const subscription = service.subscribe(keys.publicKey)
  const vapidDetails = { subject, ...keys }
  const details = webPush.generateRequestDetails(subscription, 'hello', { vapidDetails, TTL: 60, topic: 'news' })
  change(details, subscription.endpoint)
  const { method, headers, body, endpoint } = details
  const response = await fetch(endpoint, {
    method,
    headers: headers as Record<string, string>,
    body: new Uint8Array(body as Buffer),
  })
  return { status: response.status, text: await response.text(), endpoint: subscription.endpoint }
}

const sign = (audience: string, { contact = subject, expirySeconds = HOUR_SECONDS, pair = keys } = {}) => {
  const expiry = Math.floor(Date.now() / 1000) + expirySeconds
  return webPush.getVapidHeaders(audience, contact, pair.publicKey, pair.privateKey, 'aes128gcm', expiry).Authorization
}

test('accepts a correct push', async () => {
  const { status, endpoint } = await push(() => {})
  expect(status).toBe(201)
  const expected = { endpoint, payload: 'hello', ttl: 60, urgency: 'normal', topic: 'news' }
  expect(service.received.at(-1)).toMatchObject(expected)
})

const other = createPushKeys('another secret', 'one')
const header =
  (name: string, value?: string): Change =>
  ({ headers }) => {
    if (value === undefined) delete headers[name]
    else headers[name] = value
  }
const authorize = (value: string) => header('Authorization', value)
const large: Change = (details) => {
  details.headers['Content-Length'] = '4097'
  details.body = Buffer.alloc(4097)
}
const misencrypted: Change = ({ body }) => void body?.fill(1, 90)
const elsewhere: Change = (details) => {
  details.endpoint = `${service.url}/push/unknown`
}

test.each<[string, number, Change]>([
  ['no TTL', 400, header('TTL')],
  ['another encoding', 415, header('Content-Encoding', 'aesgcm')],
  ['an unknown urgency', 400, header('Urgency', 'urgent')],
  ['a long topic', 400, header('Topic', 'x'.repeat(33))],
  ['no authorization', 401, header('Authorization')],
  ['another scheme', 403, authorize('Bearer x')],
  ['the key of another workspace', 403, authorize(sign(service.url, { pair: other }))],
  [
    'the signature of another key',
    403,
    authorize(sign(service.url, { pair: { ...other, publicKey: keys.publicKey } })),
  ],
  ['a token for another origin', 403, authorize(sign('https://push.example.com'))],
  ['an expired token', 403, authorize(sign(service.url, { expirySeconds: 0 }))],
  ['a local contact', 403, authorize(sign(service.url, { contact: 'mailto:root@localhost' }))],
  ['a large body', 413, large],
  ['a body for another browser', 400, misencrypted],
  ['an unknown subscription', 404, elsewhere],
  ['a subscription that ended', 410, (_, endpoint) => service.unsubscribe(endpoint)],
])('refuses %s', async (_, status, change) => {
  const before = service.received.length
  expect(await push(change)).toMatchObject({ status })
  expect(service.received).toHaveLength(before)
})

test('answers as told, as often as told', async () => {
  const fail = { status: 503, headers: { 'retry-after': '7' }, body: 'busy' }
  const answers = (times: number) => push((_, endpoint) => service.answer(endpoint, fail, times))
  expect(await answers(0)).toMatchObject({ status: 201 })
  expect(await answers(1)).toMatchObject({ status: 503, text: 'busy' })
})
