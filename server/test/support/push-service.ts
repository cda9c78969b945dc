import { createECDH, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type RequestListener,
} from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { importJWK, jwtVerify } from 'jose'
import { trustedCertificate } from './certificates.ts'
import { type BrowserKeys, decryptPush } from './decrypt-push.ts'

/** With these settings, a server may push to a push service on loopback. */
export const PUSH_SERVICE_SETTINGS = { WEB_PUSH: 'on', OUTBOUND_ALLOW: '127.0.0.1' }

export interface ReceivedPush {
  endpoint: string
  /** Decrypted. */
  payload: string
  headers: IncomingHttpHeaders
  /** In seconds. */
  ttl: number
  urgency: string | undefined
  topic: string | undefined
}

export interface Reply {
  status: number
  headers?: Record<string, string>
  body?: string
  delayMs?: number
}

interface Subscription extends BrowserKeys {
  publicKey: string | undefined
  reply?: Reply & { times: number }
}

const MAX_BODY_BYTES = 4096
const MAX_TOKEN_SECONDS = 24 * 3600
/** The latest of them are kept. */
const MAX_KEPT = 1000

/** Why a push is not accepted. */
class Refusal extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/**
 * Starts a push service on loopback, together with the browsers that subscribed at it. It checks each push as the real ones do, and
 * decrypts it.
 * @param tls with a certificate that everything in this process trusts
 */
export async function startPushService({ tls = false } = {}) {
  const subscriptions = new Map<string, Subscription | 'gone'>()
  const received: ReceivedPush[] = []
  const attempts: string[] = []
  const stopping = new AbortController()

  async function accept(request: IncomingMessage): Promise<Reply> {
    const endpoint = `${url}${request.url}`
    keep(attempts, endpoint)
    const body = await readBody(request)
    const subscription = subscriptions.get(endpoint)
    if (!subscription || request.method !== 'POST') throw new Refusal(404, 'no such subscription')
    if (subscription === 'gone') throw new Refusal(410, 'unsubscribed')
    const reply = nextReply(subscription)
    if (reply?.delayMs) await sleep(reply.delayMs, undefined, { signal: stopping.signal })
    if (reply && reply.status >= 300) return reply
    const push = await check(request.headers, body, subscription, url)
    keep(received, { endpoint, ...push })
    return reply ?? { status: 201, headers: { location: `${url}/message/${attempts.length}` } }
  }

  const listener: RequestListener = async (request, response) => {
    const { status, headers, body } = await accept(request).catch((error: Error) => ({
      status: error instanceof Refusal ? error.status : 500,
      headers: {},
      body: error.message,
    }))
    response.writeHead(status, headers).end(body)
  }
  const server = tls ? createHttpsServer(await trustedCertificate(), listener) : createHttpServer(listener)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `${tls ? 'https' : 'http'}://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    url,
    /** The pushes that were accepted, oldest first. */
    received,
    /** The endpoint of each request, whatever the answer. */
    attempts,
    /** What a browser gives its page. @param publicKey the only key that may push to it, as base64url */
    subscribe(publicKey?: string) {
      const [curve, auth] = [createECDH('prime256v1'), randomBytes(16)]
      const p256dh = curve.generateKeys('base64url')
      const endpoint = `${url}/push/${randomBytes(24).toString('base64url')}`
      subscriptions.set(endpoint, { curve, auth, publicKey })
      return { endpoint, keys: { p256dh, auth: auth.toString('base64url') } }
    },
    /** Answers the next requests with something else. 2xx statuses accept the push. @param times defaults to all of them */
    answer(endpoint: string, reply: Reply, times = Number.POSITIVE_INFINITY) {
      const subscription = subscriptions.get(endpoint)
      if (!subscription || subscription === 'gone') throw new Error(`${endpoint} is not subscribed`)
      subscription.reply = { ...reply, times }
    },
    /** The browser unsubscribes: later pushes are answered with 410. */
    unsubscribe: (endpoint: string) => void subscriptions.set(endpoint, 'gone'),
    close() {
      stopping.abort()
      server.close()
      server.closeAllConnections()
    },
  }
}

function nextReply(subscription: Subscription): Reply | undefined {
  const { reply } = subscription
  return reply && reply.times-- > 0 ? reply : undefined
}

async function check(headers: IncomingHttpHeaders, body: Buffer, subscription: Subscription, origin: string) {
  const ttl = String(headers['ttl'] ?? '')
  if (!/^\d+$/.test(ttl)) throw new Refusal(400, 'no TTL')
  if (headers['content-encoding'] !== 'aes128gcm') throw new Refusal(415, 'not aes128gcm')
  const urgency = headers['urgency'] as string | undefined
  if (urgency && !/^(very-low|low|normal|high)$/.test(urgency)) throw new Refusal(400, 'invalid urgency')
  const topic = headers['topic'] as string | undefined
  if (topic && !/^[\w-]{1,32}$/.test(topic)) throw new Refusal(400, 'invalid topic')
  await checkAuthorization(headers.authorization, subscription, origin)
  return { payload: decrypt(body, subscription), headers, ttl: Number(ttl), urgency, topic }
}

/** A real push service can't tell. */
function decrypt(body: Buffer, keys: BrowserKeys): string {
  try {
    return decryptPush(body, keys)
  } catch (error) {
    throw new Refusal(400, `the browser can't decrypt it: ${error}`)
  }
}

/** VAPID, RFC 8292. */
async function checkAuthorization(header: string | undefined, { publicKey }: Subscription, origin: string) {
  if (!header) throw new Refusal(401, 'no authorization')
  const [, token = '', key = ''] = /^vapid t=([\w.-]+), ?k=([\w-]+)$/.exec(header) ?? []
  if (publicKey !== undefined && key !== publicKey) throw new Refusal(403, 'another key than the subscription')
  const claims = await verify(token, key, origin).catch((error) => {
    throw new Refusal(403, `invalid token: ${error}`)
  })
  if ((claims.exp as number) > Date.now() / 1000 + MAX_TOKEN_SECONDS) throw new Refusal(403, 'expires too late')
  if (!/^(https:\/\/|mailto:[^\s<>]+@)[\w.-]+\.[a-z]+/.test(claims.sub as string)) throw new Refusal(403, 'no contact')
}

async function verify(token: string, key: string, audience: string) {
  const point = Buffer.from(key, 'base64url')
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((half) => half.toString('base64url'))
  const jwk = await importJWK({ kty: 'EC', crv: 'P-256', x: x as string, y: y as string }, 'ES256')
  const requiredClaims = ['aud', 'exp', 'sub']
  return (await jwtVerify(token, jwk, { algorithms: ['ES256'], audience, requiredClaims })).payload
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request) {
    bytes += piece.length
    if (bytes <= MAX_BODY_BYTES) pieces.push(piece)
  }
  if (bytes > MAX_BODY_BYTES) throw new Refusal(413, 'too large')
  return Buffer.concat(pieces)
}

function keep<T>(list: T[], item: T) {
  list.push(item)
  if (list.length > MAX_KEPT) list.shift()
}
