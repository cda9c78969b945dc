import { lookup, Resolver } from 'node:dns/promises'
import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import type { Readable } from 'node:stream'
import type { AllowedHosts } from './allowed-hosts.ts'
import { checkUrl, hostOf, parseUrl } from './check-url.ts'
import { failure, OutboundError } from './outbound-error.ts'
import { isPublicAddress } from './public-address.ts'
import { decoded, readBody } from './read-body.ts'

export { OutboundError }

export interface Fetched {
  /** After redirects. */
  url: string
  /** The media type in lower case, without parameters; empty if there is none. */
  type: string
  /** The whole Content-Type header. */
  contentType: string
  bytes: Buffer
  /** Whether there was more than the limit. */
  isCut: boolean
}

interface GetOptions {
  accept: string
  /** How many bytes of a type to read; undefined refuses it before anything is read. */
  maxBytes: (type: string) => number | undefined
  /** Ends the whole request, redirects included. */
  signal: AbortSignal
}

export interface Opened {
  /** After redirects. */
  url: string
  status: number
  headers: IncomingHttpHeaders
  /** Without compression. Destroy it unless it is read to its end. */
  body: Readable
}

interface OpenOptions {
  accept: string
  /** Sent to each URL of the request, so limit its redirects. */
  headers?: Record<string, string>
  /** Whether to follow a redirect; the response is returned otherwise. */
  mayFollow?: (url: URL) => boolean
  /** Ends the whole request, its body included. */
  signal: AbortSignal
}

export interface Answer {
  status: number
  headers: IncomingHttpHeaders
  /** What could be read of it, without compression and up to the limit. */
  body: Buffer
}

interface PostOptions {
  headers: Record<string, string>
  body: Buffer
  /** How much of the answer to read. */
  maxBytes: number
  /** Ends the whole request. */
  signal: AbortSignal
}

/** Requests to addresses that people name. */
export interface Outbound {
  /** For bodies of any size. @throws OutboundError if it may not or can't be reached, or the signal's reason */
  open(url: string, options: OpenOptions): Promise<Opened>
  /** @throws OutboundError if it may not or can't be fetched, or the signal's reason */
  get(url: string, options: GetOptions): Promise<Fetched>
  /**
   * Follows no redirect: it is the answer. One whose body breaks off is an answer as well, since the request was received.
   * @throws OutboundError if it may not or can't be reached, or the signal's reason
   */
  post(url: string, options: PostOptions): Promise<Answer>
}

const MAX_REDIRECTS = 5
const MAX_HEADER_BYTES = 16 * 1024
/** Responses before the real one, such as 103. */
const MAX_EARLY_RESPONSES = 5
const DNS_TIMEOUT_MS = 2000
const DNS_TRIES = 2
/** For the body of an answer to a POST: its status has arrived. */
const ANSWER_BODY_MS = 2000

interface Options {
  allowed: AllowedHosts
  /** What it is for, which the User-Agent says. */
  purpose: string
  /** Defaults to the system's. */
  nameServers?: string[]
}

interface Message {
  method: 'GET' | 'POST'
  headers: Record<string, string>
  body?: Buffer
}

interface Address {
  address: string
  family: number
}

/**
 * Fetches URLs that people name, from the internet only: the server is in a network that they may not see into. A name is
 * resolved once, and the connection goes to an address that was checked. Keeps no cookies, and sends no credentials of its own.
 */
export function createOutbound({ allowed, purpose, nameServers }: Options): Outbound {
  const userAgent = `Mozilla/5.0 (compatible; Parley; ${purpose})`
  async function resolve(host: string): Promise<Address[]> {
    const version = isIP(host)
    if (version !== 0) return [{ address: host, family: version }]
    // The administrator may have meant a name that only this machine knows.
    if (allowed.hasName(host)) return lookup(host, { all: true })
    // Not with the threads that files need as well, which slow name servers would occupy. A new one knows the current servers.
    const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: DNS_TRIES })
    if (nameServers) resolver.setServers(nameServers)
    const found = await Promise.all([
      resolver.resolve4(host).then((all) => all.map((address) => ({ address, family: 4 })), none),
      resolver.resolve6(host).then((all) => all.map((address) => ({ address, family: 6 })), none),
    ])
    return found.flat()
  }

  /** The addresses to connect to. @throws OutboundError if the host is unknown, or one of its addresses is refused */
  async function addressesOf(host: string): Promise<Address[]> {
    const addresses = await resolve(host).catch(none)
    if (addresses.length === 0) throw new OutboundError('unknown host')
    const isRefused = ({ address }: Address) => !allowed.hasAddress(address) && !isPublicAddress(address)
    if (!allowed.hasName(host) && addresses.some(isRefused)) throw new OutboundError('not a public address')
    return addresses
  }

  /** One request, to an address that was checked. */
  async function requestOnce(url: URL, message: Message, signal: AbortSignal): Promise<IncomingMessage> {
    checkUrl(url, allowed)
    const addresses = await addressesOf(hostOf(url))
    signal.throwIfAborted()
    return send(url, addresses, { ...message, headers: { ...message.headers, 'user-agent': userAgent } }, signal)
  }

  /** The last response after redirects. */
  async function request(target: string, options: OpenOptions): Promise<{ url: URL; response: IncomingMessage }> {
    const { accept, headers, mayFollow = () => true, signal } = options
    let url = parseUrl(target)
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const response = await requestOnce(url, { method: 'GET', headers: { ...headers, accept } }, signal)
      const {
        statusCode = 0,
        headers: { location },
      } = response
      if (statusCode < 300 || statusCode > 399 || location === undefined) return { url, response }
      const next = URL.parse(location, url.href)
      if (next && !mayFollow(next)) return { url, response }
      response.destroy()
      url = parseUrl(location, url)
    }
    throw new OutboundError('too many redirects')
  }

  async function get(target: string, options: GetOptions): Promise<Fetched> {
    const { url, response } = await request(target, options)
    return read(url, response, options)
  }

  async function open(target: string, options: OpenOptions): Promise<Opened> {
    const { url, response } = await request(target, options)
    const { statusCode: status = 0, headers } = response
    try {
      return { url: url.href, status, headers, body: decoded(response) }
    } catch (error) {
      response.destroy()
      throw error
    }
  }

  async function post(target: string, { headers, body, maxBytes, signal }: PostOptions): Promise<Answer> {
    const response = await requestOnce(parseUrl(target), { method: 'POST', headers, body }, signal)
    const pieces: Buffer[] = []
    const timer = setTimeout(() => response.destroy(new OutboundError('the answer does not end')), ANSWER_BODY_MS)
    await readBody(response, maxBytes, pieces).catch(() => {})
    clearTimeout(timer)
    response.destroy()
    return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(pieces) }
  }

  return {
    get: (url, options) => untilAborted(get(url, options), options.signal),
    open: (url, options) => untilAborted(open(url, options), options.signal),
    post: (url, options) => untilAborted(post(url, options), options.signal),
  }
}

const none = () => []

function send(
  url: URL,
  addresses: Address[],
  { method, headers, body }: Message,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const options: RequestOptions = {
    // A connection of its own: none is open to an address that was checked for another name.
    agent: false,
    method,
    headers: { 'accept-encoding': 'gzip, deflate, br', ...headers },
    lookup(_host, { all }, done) {
      const [first] = addresses as [Address]
      if (all) done(null, addresses)
      else done(null, first.address, first.family)
    },
    maxHeaderSize: MAX_HEADER_BYTES,
    signal,
  }
  const request = url.protocol === 'https:' ? requestHttps : requestHttp
  let early = 0
  return new Promise((resolve, reject) => {
    const sent = request(url, options)
    sent.once('response', resolve)
    sent.on('information', () => ++early > MAX_EARLY_RESPONSES && sent.destroy())
    sent.on('error', (cause) => reject(failure(cause, signal)))
    // After an answer with another protocol there is no error.
    sent.once('close', () => reject(failure(undefined, signal)))
    sent.end(body)
  })
}

async function read(url: URL, response: IncomingMessage, { maxBytes, signal }: GetOptions): Promise<Fetched> {
  try {
    const { statusCode, headers } = response
    if (statusCode !== 200) throw new OutboundError(`answers ${statusCode}`)
    const contentType = headers['content-type'] ?? ''
    const type = contentType.replace(/;.*/s, '').trim().toLowerCase()
    const max = maxBytes(type)
    if (max === undefined) throw new OutboundError('unexpected type')
    const pieces: Buffer[] = []
    const isCut = await readBody(response, max, pieces)
    return { url: url.href, type, contentType, bytes: Buffer.concat(pieces), isCut }
  } catch (cause) {
    throw failure(cause, signal)
  } finally {
    response.destroy()
  }
}

/** Not everything can be told that nobody waits for it any more, such as a name server. */
const untilAborted = <T>(work: Promise<T>, signal: AbortSignal) =>
  new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
