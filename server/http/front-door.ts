import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import type { Config } from '../config/config.ts'
import { invalid } from '../errors.ts'
import { openProxies, parseAddress, rateLimitKey } from './client-address.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Who asks, and by which address of ours; set before any other hook runs. */
    caller: Caller
  }
}

/** Who a request comes from and to which address it was sent. Nothing else may read this out of headers. */
export interface Caller {
  /** What counts as one address for rates and bounds; empty where the connection is gone already. */
  rateLimitKey: string
  /** The address that people use: `PUBLIC_URL`, or the one that this request was sent to. Always a valid origin. */
  origin: string
  /** Origins whose pages may talk to us in a person's name. */
  origins: string[]
  isSecure: boolean
  /** The request comes from this very machine: no setting and no header says that a proxy may stand in between. */
  isLoopback: boolean
}

/** `host[:port]`: a name of letters, digits, dots, hyphens and underscores, or an address. */
const HOST = /^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d{1,5})?$/i

/** Stands for the host of a request that names none. */
const NO_HOST = 'localhost'

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i

/**
 * Answers what is true of a request, for calls and sockets alike. What a client says of its address, host and protocol
 * is believed only where the connection comes from a proxy named in `TRUST_PROXY`.
 */
export function openFrontDoor({ trustProxy, publicUrl }: Config) {
  const isProxy = openProxies(trustProxy)
  // A proxy on this machine that hands nothing on looks like this machine itself, so there must be none.
  const isDirect = trustProxy.length === 0 && (!publicUrl || isLoopbackAddress(hostname(new URL(publicUrl).host)))

  /**
   * @param isWatched it asks whether we are well: load balancers name no host then, or an empty one
   * @throws AppError 400 for a host that is none
   */
  return function meet(request: IncomingMessage, isWatched = false): Caller {
    const { headers, socket } = request
    const remote = parseAddress(socket.remoteAddress ?? '') ?? ''
    const isProxied = isProxy(remote)
    const lastOf = (name: string) => (isProxied ? lastIn(headers[name]) : undefined)
    const address = isProxied ? clientBehind(remote, headers['x-forwarded-for'], isProxy) : remote
    const isNameless = isWatched && request.headers.host === ''
    const host = isNameless ? NO_HOST : readHost(request, lastOf('x-forwarded-host'))
    const isSecure = (socket as TLSSocket).encrypted === true || lastOf('x-forwarded-proto') === 'https'
    const here = [`http://${host}`, `https://${host}`].map((it) => new URL(it).origin) as [string, string]
    return {
      rateLimitKey: rateLimitKey(address),
      origin: publicUrl ?? here[isSecure ? 1 : 0],
      // A proxy may have taken the TLS off without saying so.
      origins: publicUrl ? [publicUrl] : here,
      isSecure,
      isLoopback:
        isDirect && isLoopbackAddress(remote) && isLoopbackAddress(hostname(host)) && !speaksForSomebody(headers),
    }
  }
}
export type FrontDoor = ReturnType<typeof openFrontDoor>

/** @param said what a trusted proxy says that the client asked for */
function readHost({ rawHeaders, headers, url = '' }: IncomingMessage, said: string | undefined): string {
  let hosts = 0
  for (let n = 0; n < rawHeaders.length; n += 2) if (rawHeaders[n]?.toLowerCase() === 'host') hosts++
  // A request for a whole address is for the host in it, whatever the header says (RFC 9112, section 3.2.2).
  const [, inTarget] = ABSOLUTE.exec(url) ?? []
  // HTTP/1.0 knows requests without a host, and some programs that look whether we are well still speak it.
  const host = said ?? inTarget ?? headers.host ?? NO_HOST
  if (hosts > 1 || !HOST.test(host) || !URL.canParse(`http://${host}`)) throw invalid('The host is invalid')
  return host
}

/** The last of a list in a header: what the proxy next to us says. */
const lastIn = (header: string | string[] | undefined) => {
  const last = String(header ?? '')
    .split(',')
    .pop()
    ?.trim()
  return last === '' ? undefined : last
}

/** The last address of the way here that is no trusted proxy's. */
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
const isLoopbackAddress = (address: string) => address === '::1' || address === 'localhost' || /^127\./.test(address)
const speaksForSomebody = (headers: object) =>
  ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'].some((name) => name in headers)

/** Whether the page that opens a socket is one of ours; a program that is no page names no origin. */
export const isSameOrigin = (origin: string | undefined, { origins }: Caller) =>
  origin === undefined || origins.includes(URL.parse(origin)?.origin ?? '')

/** The path that was asked for, decoded as the router does it; for what has no route, and therefore no template. */
export function pathOf({ url = '' }: IncomingMessage): string {
  const [path = ''] = url.replace(ABSOLUTE, '').split(/[?#]/)
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

/** Whether a request is a call, by its route; without one, by where it would be. */
export const isCall = ({ routeOptions: { url }, raw }: Routed) => /^\/api(\/|$)/.test(url ?? pathOf(raw))
