import { ECDH } from 'node:crypto'
import webPush from 'web-push'
import type { AllowedHosts } from '../outbound/allowed-hosts.ts'
import { checkUrl, isNamed, parseUrl } from '../outbound/check-url.ts'
import { type Answer, type Outbound, OutboundError } from '../outbound/outbound.ts'
import type { PushKeys } from './push-keys.ts'
import { createVapid } from './vapid.ts'

/** A subscription of a browser. */
export interface PushTarget {
  /** URL at its push service. */
  endpoint: string
  /** The browser's public key, a point of P-256, as base64url. */
  p256dh: string
  /** The browser's secret, 16 bytes, as base64url. */
  auth: string
}

export interface PushOutcome {
  /** gone: the subscription no longer exists. refused: this push will never be accepted. failed: try later. */
  result: 'delivered' | 'gone' | 'refused' | 'failed'
  /** Null if there was no answer. */
  status: number | null
  /** Why, for the owner of the device: one line of at most 200 characters. */
  detail: string | null
  /** When to try again, from one second to a day, if the push service says so. */
  retryAfterSeconds: number | null
}

export interface PushOptions {
  /** How long the push service keeps it for a device that is off. */
  ttlSeconds: number
  urgency: 'high' | 'normal' | 'low'
  signal: AbortSignal
}

export type SendPush = (target: PushTarget, payload: string, options: PushOptions) => Promise<PushOutcome>

interface SenderOptions {
  keys: PushKeys
  outbound: Pick<Outbound, 'post'>
  /** See `pushContact`. */
  contact: string
}

/** In UTF-8: push services accept 4,096 bytes, of which encryption takes 103. */
export const MAX_PAYLOAD_BYTES = 3993
const MAX_ENDPOINT_LENGTH = 1000
const KEY_BYTES = 65
const AUTH_BYTES = 16
/** Enough for the characters that are kept. */
const MAX_ANSWER_BYTES = 1024
const MAX_DETAIL_LENGTH = 200
const MAX_RETRY_SECONDS = 24 * 3600
/** Windows answers 406 if it gets too many. */
const PASSING_STATUSES = new Set([406, 408, 425, 429])
/** Reasons not to connect that may pass. */
const PASSING_PROBLEM = /^(does not respond|unknown host|not a public address)$/

/**
 * What is wrong with what a browser, or whoever pretends to be one, subscribes with; null if nothing is. The endpoint must be HTTPS,
 * except for hosts that `OUTBOUND_ALLOW` names.
 */
export function pushTargetProblem(target: PushTarget, allowed: AllowedHosts): keyof PushTarget | null {
  return isEndpoint(target.endpoint, allowed) ? keyProblem(target) : 'endpoint'
}

function isEndpoint(endpoint: string, allowed: AllowedHosts): boolean {
  // `URL` would ignore spaces and line breaks.
  if (endpoint.length > MAX_ENDPOINT_LENGTH || !/^[!-~]+$/.test(endpoint)) return false
  try {
    const url = parseUrl(endpoint)
    checkUrl(url, allowed)
    return url.protocol === 'https:' || isNamed(url, allowed)
  } catch {
    return false
  }
}

function keyProblem({ p256dh, auth }: PushTarget): 'p256dh' | 'auth' | null {
  if (!isPoint(decode(p256dh))) return 'p256dh'
  return decode(auth)?.length === AUTH_BYTES ? null : 'auth'
}

/** Undefined unless it is base64url, with or without padding. */
const decode = (text: string) => (/^[\w-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64url') : undefined)

function isPoint(key: Buffer | undefined): boolean {
  const UNCOMPRESSED = 4
  if (key?.length !== KEY_BYTES || key[0] !== UNCOMPRESSED) return false
  try {
    return ECDH.convertKey(key, 'prime256v1').length > 0
  } catch {
    return false
  }
}

/**
 * Encrypts pushes (RFC 8291) and sends them to the push services of browsers (RFC 8030). The outcome says what failed; it rejects with
 * the reason of its signal only, unless that is a timeout.
 * @throws RangeError for a payload of more than `MAX_PAYLOAD_BYTES`
 */
export function createPushSender({ keys, outbound, contact }: SenderOptions): SendPush {
  const vapid = createVapid(keys, contact)

  async function send(target: PushTarget, body: Buffer, options: PushOptions): Promise<PushOutcome> {
    const { ttlSeconds, urgency, signal } = options
    const { origin } = parseUrl(target.endpoint)
    const headers = {
      authorization: vapid.header(origin),
      'content-encoding': 'aes128gcm',
      'content-type': 'application/octet-stream',
      ttl: String(ttlSeconds),
      urgency,
    }
    const answer = await outbound.post(target.endpoint, { headers, body, maxBytes: MAX_ANSWER_BYTES, signal })
    if (answer.status === 401 || answer.status === 403) vapid.forget(origin)
    return outcomeOf(answer)
  }

  return async (target, payload, options) => {
    const bytes = Buffer.from(payload)
    if (bytes.length > MAX_PAYLOAD_BYTES) throw new RangeError(`A push of ${bytes.length} bytes`)
    const problem = keyProblem(target)
    if (problem) return unanswered('refused', `${problem} is not a key of a browser`)
    const { cipherText } = webPush.encrypt(target.p256dh, target.auth, bytes, 'aes128gcm')
    try {
      return await send(target, cipherText, options)
    } catch (error) {
      return outcomeOfError(error, options.signal)
    }
  }
}

const unanswered = (result: 'refused' | 'failed', detail: string): PushOutcome => ({
  result,
  status: null,
  detail,
  retryAfterSeconds: null,
})

/** @throws the signal's reason, unless it is a timeout, and errors of ours */
function outcomeOfError(error: unknown, signal: AbortSignal): PushOutcome {
  if (signal.aborted) {
    if ((signal.reason as Error)?.name !== 'TimeoutError') throw signal.reason
    return unanswered('failed', 'no answer in time')
  }
  if (!(error instanceof OutboundError)) throw error
  return unanswered(PASSING_PROBLEM.test(error.message) ? 'failed' : 'refused', error.message)
}

function outcomeOf({ status, headers, body }: Answer): PushOutcome {
  const result = resultOf(status)
  return {
    result,
    status,
    detail: result === 'delivered' ? null : oneLine(body.toString()),
    retryAfterSeconds: result === 'failed' ? retryAfter(headers['retry-after']) : null,
  }
}

/** A redirect is a refusal: the subscription is for another URL then. */
function resultOf(status: number): PushOutcome['result'] {
  if (status >= 200 && status < 300) return 'delivered'
  if (status === 404 || status === 410) return 'gone'
  return status >= 500 || PASSING_STATUSES.has(status) ? 'failed' : 'refused'
}

/** Without characters that nobody sees; null if none are left. */
function oneLine(text: string): string | null {
  const line = text.replace(/[\p{C}\s]+/gu, ' ').trim()
  return [...line].slice(0, MAX_DETAIL_LENGTH).join('') || null
}

/** @param value seconds, or a date of HTTP */
function retryAfter(value: string | undefined): number | null {
  if (value === undefined) return null
  const isDate = /^[A-Z][a-z]{2,8}, /.test(value)
  const seconds = isDate ? (Date.parse(value) - Date.now()) / 1000 : /^\d+$/.test(value) ? Number(value) : Number.NaN
  return Number.isNaN(seconds) ? null : Math.ceil(Math.min(Math.max(seconds, 1), MAX_RETRY_SECONDS))
}
