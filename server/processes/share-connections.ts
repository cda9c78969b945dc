import { rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { type Duplex, pipeline } from 'node:stream'
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
  /** Whether the server ends TLS. Then its connections can't be handed over: the keys are in this process. */
  isEncrypted: boolean
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
 * WebSocket, the TCP connection itself is handed over, unless it is encrypted.
 * @returns a function that stops accepting requests from other processes
 */
export async function shareConnections(options: Options) {
  const { server, engine, siblings, isEncrypted } = options
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
    if (isEncrypted) return forwardUpgrade(request, socket, head, siblings.pathOf(owner))
    return handOver(owner, request, socket, head)
  }
  const onParcel = (parcel: ToProcess, handle?: object) => {
    if (parcel.kind === 'connection' && handle)
      server.emit('connection', openSocket(handle, Buffer.from(parcel.bytes, 'base64')))
  }
  process.on('message', onParcel)
  const closeInner = await acceptForwarded(options)
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

/** Writes a request as it was read. */
function writeHead({ method, url }: IncomingMessage, rawHeaders: string[]): Buffer {
  const lines = rawHeaders.map((text, i) => (i % 2 === 0 ? `\r\n${text}: ` : text))
  return Buffer.from(`${method} ${url} HTTP/1.1${lines.join('')}\r\n\r\n`, 'latin1')
}

/** Passes on everything that comes after the request for a WebSocket, in both directions. */
function forwardUpgrade(incoming: IncomingMessage, socket: Duplex, head: Buffer, socketPath: string) {
  const headers = withoutHeaders(incoming.rawHeaders, [ADDRESS_HEADER])
  const inner = connect({ path: socketPath, noDelay: true })
  inner.write(writeHead(incoming, [...headers, ADDRESS_HEADER, incoming.socket.remoteAddress ?? '']))
  inner.write(head)
  // Also destroys the other one if one of them fails.
  pipeline(socket, inner, socket, () => {})
}

/** Sends the TCP connection with the bytes already read from it. */
function handOver(to: number, request: IncomingMessage, socket: Duplex, head: Buffer) {
  const handle = handleOf(socket)
  socket.on('error', () => {})
  if (!handle || !process.send) return socket.destroy()
  const read = writeHead(request, request.rawHeaders)
  const parcel: HandOverParcel = { kind: 'handOver', to, bytes: Buffer.concat([read, head]).toString('base64') }
  return process.send(parcel, toSend(handle), undefined, () => socket.destroy())
}

/** Serves requests forwarded by other processes as if they had arrived at the shared port. */
async function acceptForwarded({ server, siblings, metricsAsJson, isEncrypted }: Options) {
  const path = siblings.pathOf(siblings.number)
  const inner = createServer((request, response) => {
    if (request.url === METRICS_PATH) return void answerMetrics(response)
    restoreClient(request)
    server.emit('request', request, response)
  })
  inner.on('upgrade', (request, socket, head) => {
    restoreClient(request)
    server.emit('upgrade', request, socket, head)
  })

  /** Makes the request look as it did when it arrived at the other process. */
  function restoreClient({ headers, socket }: IncomingMessage) {
    Object.defineProperty(socket, 'remoteAddress', { value: headers[ADDRESS_HEADER], configurable: true })
    Object.defineProperty(socket, 'encrypted', { value: isEncrypted, configurable: true })
    delete headers[ADDRESS_HEADER]
  }

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
