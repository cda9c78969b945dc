import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestTls } from 'node:https'
import { SEEN_REQUEST_PATH, SeenRequest } from '../../server/monitoring/seen-request.ts'

const TIMEOUT_MS = 8_000
/** The answer has a few hundred. */
const MAX_ANSWER_BYTES = 65_536

/** This workspace answered. */
export interface OwnAnswer {
  kind: 'parley'
  /** The request as it arrived. */
  seen: SeenRequest
  /** The port of this end of the connection. */
  localPort: number
  /** The `Date` header, when it arrived (Unix time in milliseconds), and how long it took at most. */
  date: string | undefined
  arrivedAt: number
  tookMs: number
}

/** Something else did. */
export interface OtherAnswer {
  kind: 'other'
  status: number
  server: string | undefined
  location: string | undefined
}

/**
 * Asks an address whether this workspace answers there.
 * @param token the doctor's; see `seen-request.ts`
 * @throws Error of the network or of TLS, with a code
 */
export async function probe(
  url: URL,
  token: string,
  { rejectUnauthorized = true } = {},
): Promise<OwnAnswer | OtherAnswer> {
  const request = url.protocol === 'https:' ? requestTls : requestPlain
  const headers = { authorization: `Bearer ${token}` }
  const options = { headers, rejectUnauthorized, agent: false, signal: AbortSignal.timeout(TIMEOUT_MS) }
  const began = performance.now()
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request(new URL(SEEN_REQUEST_PATH, url), options, resolve).on('error', reject).end()
  })
  const [arrivedAt, tookMs] = [Date.now(), performance.now() - began]
  const localPort = response.socket.localPort ?? 0
  const { statusCode: status = 0 } = response
  const { date, server, location } = response.headers
  const other: OtherAnswer = { kind: 'other', status, server: server && String(server), location }
  if (status !== 200) {
    response.destroy()
    return other
  }
  const seen = parse(await readStart(response))
  return seen ? { kind: 'parley', seen, localPort, date, arrivedAt, tookMs } : other
}

async function readStart(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    bytes += chunk.length
    chunks.push(chunk)
    if (bytes > MAX_ANSWER_BYTES) break
  }
  return Buffer.concat(chunks).toString()
}

function parse(body: string): SeenRequest | undefined {
  try {
    return SeenRequest.parse(JSON.parse(body))
  } catch {
    return undefined
  }
}

/** Whether a WebSocket opens. */
export function opensWebSocket(address: URL): Promise<boolean> {
  const url = new URL('/socket.io/?EIO=4&transport=websocket', address)
  url.protocol = address.protocol === 'https:' ? 'wss:' : 'ws:'
  const socket = new WebSocket(url)
  return new Promise<boolean>((resolve) => {
    const timer = setTimeout(() => resolve(false), TIMEOUT_MS)
    socket.addEventListener('message', () => resolve(true))
    socket.addEventListener('error', () => resolve(false))
    socket.addEventListener('close', () => clearTimeout(timer))
  }).finally(() => socket.close())
}
