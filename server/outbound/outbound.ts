import { lookup, Resolver } from 'node:dns/promises'
import { type IncomingHttpHeaders, type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { type Duplex, PassThrough, type Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { AllowedHosts } from './allowed-hosts.ts'
import { isPublicAddress } from './public-address.ts'

/** Why a URL was not fetched. */
export class OutboundError extends Error {
  override name = 'OutboundError'
}

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

/** Requests to addresses that people name. */
export interface Outbound {
  /** For bodies of any size. @throws OutboundError if it may not or can't be reached, or the signal's reason */
  open(url: string, options: OpenOptions): Promise<Opened>
  /** @throws OutboundError if it may not or can't be fetched, or the signal's reason */
  get(url: string, options: GetOptions): Promise<Fetched>
}

const MAX_REDIRECTS = 5
const MAX_HEADER_BYTES = 16 * 1024
/** Responses before the real one, such as 103. */
const MAX_EARLY_RESPONSES = 5
/** Some large pieces, or too many small ones. */
const MAX_PIECES = 20_000
const DNS_TIMEOUT_MS = 2000
const DNS_TRIES = 2

interface Options {
  allowed: AllowedHosts
  /** What it is for, which the User-Agent says. */
  purpose: string
  /** Defaults to the system's. */
  nameServers?: string[]
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

  /** The last response after redirects. */
  async function request(target: string, options: OpenOptions): Promise<{ url: URL; response: IncomingMessage }> {
    const { accept, headers, mayFollow = () => true, signal } = options
    let url = parse(target)
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const host = hostOf(url)
      const isNamed = allowed.hasName(host) || (isIP(host) !== 0 && allowed.hasAddress(host))
      if (!isNamed && !isUsualPort(url)) throw new OutboundError('unusual port')
      const addresses = await addressesOf(host)
      signal.throwIfAborted()
      const response = await send(url, addresses, { ...headers, accept, 'user-agent': userAgent }, signal)
      const {
        statusCode = 0,
        headers: { location },
      } = response
      if (statusCode < 300 || statusCode > 399 || location === undefined) return { url, response }
      const next = URL.parse(location, url.href)
      if (next && !mayFollow(next)) return { url, response }
      response.destroy()
      url = parse(location, url)
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

  return {
    get: (url, options) => untilAborted(get(url, options), options.signal),
    open: (url, options) => untilAborted(open(url, options), options.signal),
  }
}

const none = () => []

/** @throws OutboundError unless it is a URL of HTTP or HTTPS without credentials */
function parse(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (!url || !/^https?:$/.test(url.protocol)) throw new OutboundError('not an HTTP URL')
  if (url.username !== '' || url.password !== '') throw new OutboundError('contains credentials')
  // The same host; a certificate has it without the dot.
  url.hostname = url.hostname.replace(/\.$/, '')
  url.hash = ''
  return url
}

/** A name, or an address without brackets. `URL` has turned numbers in any notation into plain addresses. */
const hostOf = ({ hostname }: URL) => hostname.replace(/^\[(.*)\]$/, '$1')

/** Those below 1024 belong to other protocols. */
const isUsualPort = ({ port }: URL) => port === '' || port === '80' || port === '443' || Number(port) >= 1024

function send(
  url: URL,
  addresses: Address[],
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const options: RequestOptions = {
    // A connection of its own: none is open to an address that was checked for another name.
    agent: false,
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
    sent.end()
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
    let left = max
    const body = decoded(response)
    response.on('data', countPieces(response))
    for await (const piece of body) {
      const bytes = piece as Buffer
      pieces.push(bytes.subarray(0, left))
      left -= bytes.length
      if (left < 0) break
    }
    return { url: url.href, type, contentType, bytes: Buffer.concat(pieces), isCut: left < 0 }
  } catch (cause) {
    throw failure(cause, signal)
  } finally {
    response.destroy()
  }
}

/** Ends a response that comes in too many pieces: each takes time, however small it is. */
function countPieces(response: IncomingMessage) {
  let pieces = 0
  return () => ++pieces > MAX_PIECES && response.destroy(new OutboundError('too many pieces'))
}

/** The body without compression. @throws OutboundError for an unknown encoding */
function decoded(response: IncomingMessage): Readable {
  const encoding = (response.headers['content-encoding'] ?? '').trim().toLowerCase()
  const decoder = decoders.get(encoding)?.()
  if (!decoder) throw new OutboundError('unknown encoding')
  response.on('error', (error) => decoder.destroy(error))
  decoder.on('close', () => response.destroy())
  return response.pipe(decoder)
}

const decoders = new Map<string, () => Duplex>([
  ['', () => new PassThrough()],
  ['identity', () => new PassThrough()],
  ['gzip', createGunzip],
  ['x-gzip', createGunzip],
  ['deflate', createInflate],
  ['br', createBrotliDecompress],
])

function failure(cause: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  return cause instanceof OutboundError ? cause : new OutboundError('does not respond', { cause })
}

/** Not everything can be told that nobody waits for it any more, such as a name server. */
const untilAborted = <T>(work: Promise<T>, signal: AbortSignal) =>
  new Promise<T>((resolve, reject) => {
    const abort = () => reject(signal.reason)
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
