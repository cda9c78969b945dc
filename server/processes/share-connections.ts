import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { handleOf, openSocket, toSend } from './handle.ts'
import type { HandOverParcel, ToProcess } from './ipc.ts'
import { METRICS_PATH, type Siblings } from './siblings.ts'

/** The parts of engine.io's server that are used here. */
interface Engine {
  generateId(request: IncomingMessage): unknown
  handleRequest(request: IncomingMessage, response: ServerResponse): void
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void
}

interface Options {
  server: Server
  engine: Engine
  siblings: Siblings
  /** This process's metrics. */
  metricsAsJson: () => Promise<unknown>
}

/** Connections to a Unix socket beyond it are refused; the system may allow fewer. */
const BACKLOG = 65_535
/** The client's address, for the process that answers. Only the server on the Unix socket reads it. */
const ADDRESS_HEADER = 'x-parley-address'
/** Hop-by-hop headers, which are not forwarded. */
const CONNECTION_HEADERS = ['connection', 'keep-alive']

/**
 * Serves the TCP connections that the primary distributes. A live connection consists of several HTTP requests, at least at its
 * start, and each may arrive at any process. A polling request is forwarded to the process that owns the live connection; for a
 * WebSocket, the TCP connection itself is handed over.
 * @returns a function that stops accepting requests from other processes
 */
export async function shareConnections({ server, engine, siblings, metricsAsJson }: Options) {
  const own = { request: engine.handleRequest.bind(engine), upgrade: engine.handleUpgrade.bind(engine) }
  engine.generateId = siblings.newConnectionId
  engine.handleRequest = (request, response) => {
    const owner = siblings.ownerOf(connectionIdOf(request))
    if (owner === undefined) return own.request(request, response)
    return forward(request, response, siblings.pathOf(owner))
  }
  engine.handleUpgrade = (request, socket, head) => {
    const owner = siblings.ownerOf(connectionIdOf(request))
    if (owner === undefined) return own.upgrade(request, socket, head)
    return handOver(owner, request, socket, head)
  }
  const onParcel = (parcel: ToProcess, handle?: object) => {
    if (parcel.kind === 'connection' && handle)
      server.emit('connection', openSocket(handle, Buffer.from(parcel.bytes, 'base64')))
  }
  process.on('message', onParcel)
  const closeInner = await acceptForwarded(server, siblings.pathOf(siblings.number), metricsAsJson)
  return () => {
    process.off('message', onParcel)
    closeInner()
  }
}

const connectionIdOf = ({ url = '' }: IncomingMessage) => new URLSearchParams(url.split('?')[1]).get('sid')

/** @param headers as pairs in one list */
const withoutHeaders = (headers: string[], names: string[]) =>
  headers.filter((_, i) => !names.includes(headers[i - (i % 2)]?.toLowerCase() ?? ''))

function forward(incoming: IncomingMessage, response: ServerResponse, socketPath: string) {
  const { method, url, rawHeaders, socket } = incoming
  const headers = [
    ...withoutHeaders(rawHeaders, [...CONNECTION_HEADERS, ADDRESS_HEADER]),
    ...[ADDRESS_HEADER, socket.remoteAddress ?? ''],
    // Otherwise the other process closes the connection after its response, and a body that is still being sent fails.
    ...['connection', 'keep-alive'],
  ]
  const forwarded = request({ socketPath, method, path: url, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, withoutHeaders(answer.rawHeaders, CONNECTION_HEADERS))
    answer.pipe(response)
    answer.on('error', () => response.destroy())
  })
  // The process has died: the client opens a new connection.
  forwarded.on('error', () => (response.headersSent ? response.destroy() : response.writeHead(503).end()))
  response.on('close', () => forwarded.destroy())
  incoming.pipe(forwarded)
}

/** Sends the TCP connection with the bytes already read from it. */
function handOver(to: number, { method, url, rawHeaders }: IncomingMessage, socket: Duplex, head: Buffer) {
  const handle = handleOf(socket)
  socket.on('error', () => {})
  if (!handle || !process.send) return socket.destroy()
  const lines = rawHeaders.map((text, i) => (i % 2 === 0 ? `\r\n${text}: ` : text))
  const read = Buffer.from(`${method} ${url} HTTP/1.1${lines.join('')}\r\n\r\n`, 'latin1')
  const parcel: HandOverParcel = { kind: 'handOver', to, bytes: Buffer.concat([read, head]).toString('base64') }
  return process.send(parcel, toSend(handle), undefined, () => socket.destroy())
}

/** Serves requests forwarded by other processes as if they had arrived at the shared port. */
async function acceptForwarded(server: Server, path: string, metricsAsJson: () => Promise<unknown>) {
  const inner = createServer((request, response) => {
    if (request.url === METRICS_PATH) return void answerMetrics(response)
    const remoteAddress = request.headers[ADDRESS_HEADER]
    Object.defineProperty(request.socket, 'remoteAddress', { value: remoteAddress, configurable: true })
    delete request.headers[ADDRESS_HEADER]
    server.emit('request', request, response)
  })

  async function answerMetrics(response: ServerResponse) {
    const body = await metricsAsJson().catch(() => undefined)
    response.writeHead(body ? 200 : 500).end(JSON.stringify(body))
  }

  // Left behind by a process that was killed.
  if (process.platform !== 'win32') await rm(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    inner.once('error', reject)
    // Otherwise all processes would share this socket as well.
    inner.listen({ path, exclusive: true, backlog: BACKLOG }, resolve)
  })
  return () => {
    inner.close()
    inner.closeAllConnections()
  }
}
