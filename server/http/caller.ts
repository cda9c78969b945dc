import type { IncomingMessage } from 'node:http'
import { isIPv4 } from 'node:net'
import type { TLSSocket } from 'node:tls'
import type { Config } from '../config/config.ts'
import { invalid } from '../errors.ts'
import { noteOnce } from '../process/note-once.ts'
import { createProxyMatcher, isPrivateAddress, parseAddress, rateLimitKey } from './client-address.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set before any other hook runs. */
    caller: Caller
  }
}

/** Where a request comes from, and which of our addresses it used. Only this file may derive that from headers. */
export interface Caller {
  /** The client's address, for the log; empty if the connection is already closed. */
  address: string
  /** The address for rates and limits; empty if the connection is already closed. */
  rateLimitKey: string
  /** `PUBLIC_URL`, or the origin this request was sent to. */
  origin: string
  /** Origins whose pages may send requests with a user's credentials. */
  origins: string[]
  isSecure: boolean
  /** Whether the request comes from this machine, and neither settings nor headers suggest a proxy in between. */
  isLoopback: boolean
  /** Whether somebody who sits at this machine sent it, as far as can be known. */
  isFromOperator: boolean
}

/** `host[:port]`: a name of letters, digits, dots, hyphens and underscores, or an address. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** For requests without a host. */
const DEFAULT_HOST = 'localhost'

const ABSOLUTE_URL = /^https?:\/\/([^/?#]*)/i

/**
 * Returns the function that reads a request's caller, for calls and sockets alike. Forwarding headers count only if the
 * connection comes from a proxy in `TRUST_PROXY`.
 * @param onUntrustedProxy called once for each address in a private network that forwards requests but isn't in `TRUST_PROXY`.
 * Elsewhere, clients may send such a header themselves.
 */
export function createCallerReader({ trustProxy, publicUrl }: Config, onUntrustedProxy: (address: string) => void) {
  const noteUntrusted = noteOnce(onUntrustedProxy)
  const isProxy = createProxyMatcher(trustProxy)
  // A proxy on this machine that adds no headers is indistinguishable from a local request, so the settings must rule one out.
  const isDirect = trustProxy.length === 0 && (!publicUrl || isLoopbackAddress(hostname(new URL(publicUrl).host)))

  /**
   * @param isHealthCheck load balancers send these without a host, or with an empty one
   * @throws AppError 400 for an invalid host
   */
  return function readCaller(request: IncomingMessage, isHealthCheck = false): Caller {
    const { headers, socket } = request
    const remote = parseAddress(socket.remoteAddress ?? '') ?? ''
    const isProxied = isProxy(remote)
    if (!isProxied && headers['x-forwarded-for'] !== undefined && isPrivateAddress(remote)) noteUntrusted(remote)
    const lastOf = (name: string) => (isProxied ? lastIn(headers[name]) : undefined)
    const address = isProxied ? clientBehind(remote, headers['x-forwarded-for'], isProxy) : remote
    const hasNoHost = isHealthCheck && request.headers.host === ''
    const host = hasNoHost ? DEFAULT_HOST : readHost(request, lastOf('x-forwarded-host'))
    const isSecure = (socket as TLSSocket).encrypted === true || lastOf('x-forwarded-proto') === 'https'
    const originOf = (protocol: string) => new URL(`${protocol}://${host}`).origin
    return {
      address,
      rateLimitKey: rateLimitKey(address),
      isSecure,
      // Getters, because few requests need them, and parsing URLs takes as long as everything else here.
      get origin() {
        return publicUrl ?? originOf(isSecure ? 'https' : 'http')
      },
      get origins() {
        // A proxy may terminate TLS without a header that says so.
        return publicUrl ? [publicUrl] : [originOf('http'), originOf('https')]
      },
      get isFromOperator() {
        // nginx speaks HTTP/1.0 to the server behind it and adds no headers, unless told otherwise. No browser does.
        return this.isLoopback && request.httpVersion !== '1.0'
      },
      get isLoopback() {
        return isDirect && isLoopbackAddress(remote) && isLoopbackAddress(hostname(host)) && !isForwarded(headers)
      },
    }
  }
}
export type ReadCaller = ReturnType<typeof createCallerReader>

/** @param forwarded the host that the client requested, according to a trusted proxy */
function readHost({ rawHeaders, headers, url = '' }: IncomingMessage, forwarded: string | undefined): string {
  let hosts = 0
  for (let n = 0; n < rawHeaders.length; n += 2) if (rawHeaders[n]?.toLowerCase() === 'host') hosts++
  // The host of an absolute URL takes precedence over the header (RFC 9112, section 3.2.2).
  const [, inTarget] = ABSOLUTE_URL.exec(url) ?? []
  // HTTP/1.0, which some health checks still use, allows requests without a host.
  const host = forwarded ?? inTarget ?? headers.host ?? DEFAULT_HOST
  if (hosts > 1 || !HOST.test(host) || !URL.canParse(`http://${host}`)) throw invalid('errors.invalidHost')
  return host
}

/** The last entry of a header's list: the one that the nearest proxy added. */
const lastIn = (header: string | string[] | undefined) => {
  const last = String(header ?? '')
    .split(',')
    .pop()
    ?.trim()
  return last === '' ? undefined : last
}

/** The last address in the forwarding chain that is not a trusted proxy. */
function clientBehind(remote: string, header: string | string[] | undefined, isProxy: (address: string) => boolean) {
  const hops = String(header ?? '').split(',')
  let address = remote
  while (isProxy(address) && hops.length > 0) {
    const before = parseAddress(hops.pop()?.trim() ?? '')
    if (before === undefined) break
    address = before
  }
  return address
}

const hostname = (host: string) => new URL(`http://${host}`).hostname.replace(/^\[|\]$/g, '')
// Not any name that begins like an address: 127.0.0.1.example.com may lead here as well.
const isLoopbackAddress = (address: string) =>
  address === '::1' || address === 'localhost' || (isIPv4(address) && address.startsWith('127.'))
/** Headers of proxies, content delivery networks and tunnels. */
const FORWARDING =
  /^(?:forwarded|via|cdn-loop|true-client-ip|x-(?:real|client|cluster-client)-ip|(?:x-(?:original-)?forwarded|cf|fly|fastly)-.*)$/
const isForwarded = (headers: object) => Object.keys(headers).some((name) => FORWARDING.test(name))

/** Whether a request may come from this origin: one of ours, or none, as programs other than browsers send. */
export const isSameOrigin = (origin: string | undefined, { origins }: Caller) =>
  origin === undefined || origins.includes(URL.parse(origin)?.origin ?? '')

/** The requested path, decoded as by the router; for requests without a route. */
export function pathOf({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.replace(ABSOLUTE_URL, '').split(/[?#]/)
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

interface Routed {
  routeOptions: { url?: string | undefined }
  raw: IncomingMessage
}

/** Whether a request is an API call, by its route's template, or by its path if no route matches. */
export const isCall = ({ routeOptions: { url }, raw }: Routed) => /^\/api(\/|$)/.test(url ?? pathOf(raw))
