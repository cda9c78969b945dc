import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { Bounds } from '../limits/bounds.ts'
import { limitConnections } from '../limits/connection-limits.ts'

interface Options {
  /** Where to send people: an origin, or undefined for the name they used. */
  publicUrl: string | undefined
  httpsPort: number
  /** Answers to the authority, by token. */
  challenges: ReadonlyMap<string, string>
  hasCertificate: () => boolean
  bounds: Pick<Bounds, 'idleConnections'>
  trustProxy: string[]
}

const CHALLENGE = /^\/\.well-known\/acme-challenge\/([\w-]{1,200})$/
const HOST = /^([\w.-]{1,253}|\[[\da-f:.]{2,45}\])(?::\d{1,5})?$/i
const STANDARD_PORT = 443

/** Requests that don't end, or connections that send none. */
const TIMEOUT_MS = 10_000
const CHECK_INTERVAL_MS = 1_000
const MAX_HEADER_BYTES = 8_192

const NO_CERTIFICATE = 'Parley has no certificate for this name yet, and tries again by itself. Its log says why.\n'

/** Answers plain HTTP: challenges of the certificate authority, and redirects to HTTPS for everything else. */
export function createPlainHttp(options: Options): Server {
  const { publicUrl, httpsPort, challenges, hasCertificate, bounds, trustProxy } = options

  function answer(request: IncomingMessage, response: ServerResponse) {
    request.resume()
    const { headers } = request
    // As a proxy writes it, with the whole address.
    const url = request.url?.replace(/^http:\/\/[^/?#]*(?=\/)/i, '') ?? ''
    response.setHeader('connection', 'close')
    const [, token] = CHALLENGE.exec(url) ?? []
    const expected = token && challenges.get(token)
    if (token) return end(response, expected ? 200 : 404, expected ?? 'Not found.\n')
    if (!hasCertificate()) return end(response, 503, NO_CERTIFICATE)
    const origin = publicUrl ?? originOf(headers.host)
    // A path only: `//other.example` would lead elsewhere.
    if (!origin || !/^\/(?!\/)/.test(url)) return end(response, 400, 'This address is not valid.\n')
    response.setHeader('cache-control', 'no-store')
    // 308 keeps the method and the body.
    response.setHeader('location', origin + url)
    return end(response, 308, '')
  }

  function originOf(host = '') {
    const [, name] = HOST.exec(host) ?? []
    return name && `https://${name}${httpsPort === STANDARD_PORT ? '' : `:${httpsPort}`}`
  }

  const server = createServer(
    {
      maxHeaderSize: MAX_HEADER_BYTES,
      requestTimeout: TIMEOUT_MS,
      headersTimeout: TIMEOUT_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
    },
    answer,
  )
  server.setTimeout(TIMEOUT_MS)
  // So that nobody can keep the authority out.
  limitConnections(server, bounds, trustProxy)
  return server
}

function end(response: ServerResponse, status: number, text: string) {
  response
    .writeHead(status, { 'content-type': 'text/plain; charset=utf-8', 'content-length': Buffer.byteLength(text) })
    .end(text)
}

/** @throws Error of the system, such as EADDRINUSE */
export async function listenPlain(server: Server, { port, host }: { port: number; host: string }) {
  server.listen({ port, host })
  await once(server, 'listening')
  // For example because of too many open files.
  server.on('error', () => {})
}
