import type { Socket as TcpSocket } from 'node:net'
import type { Socket, Server as SocketServer } from 'socket.io'

// Everything that relies on undocumented parts of Socket.IO. Each function checks that these exist, and is a no-op without
// them. This file's tests fail when an upgrade moves them.

type Connection = Socket['conn']

interface WebSocket {
  bufferedAmount: number
  terminate(): void
  _socket?: TcpSocket | null
}

interface Packet {
  /** Encoded once for all receivers: the head of the frame and its payload. */
  options?: { wsPreEncodedFrame?: unknown }
}

interface WebSocketTransport {
  send(packets: Packet[]): void
  socket?: WebSocket
}

/** The WebSocket of a connection; undefined while it polls. */
export const webSocketOf = ({ transport }: Connection) => (transport as unknown as WebSocketTransport).socket

/** Bytes not sent yet: those in the WebSocket's buffer, and those still queued for it. */
export function bytesWaiting(connection: Connection): number {
  const { writeBuffer = [] } = connection as unknown as { writeBuffer?: { data?: unknown }[] }
  let bytes = webSocketOf(connection)?.bufferedAmount ?? 0
  for (const { data } of writeBuffer) bytes += typeof data === 'string' || Buffer.isBuffer(data) ? data.length : 0
  return bytes
}

/**
 * Sends all queued packets of a socket in one write. Socket.IO writes each packet separately, which costs more than the rest of
 * a delivery.
 */
export function coalesceSocketWrites(io: Pick<SocketServer, 'engine'>) {
  io.engine.on('connection', (connection: Connection) => {
    coalesceWrites(connection.transport)
    connection.on('upgrade', coalesceWrites)
  })
}

const coalesced = new WeakSet<object>()

/** Wraps `send` of the transport's prototype, once for all WebSockets. */
export function coalesceWrites(transport: { name: string }) {
  const prototype: unknown = Object.getPrototypeOf(transport)
  if (transport.name !== 'websocket' || !canSend(prototype) || coalesced.has(prototype)) return
  coalesced.add(prototype)
  const { send } = prototype
  prototype.send = function (this: WebSocketTransport, packets: Packet[]) {
    for (const { options } of packets) {
      // All receivers share the options, so the parts are joined only once.
      const frame = options?.wsPreEncodedFrame
      if (options && isFrame(frame)) options.wsPreEncodedFrame = [Buffer.concat(frame)]
    }
    const tcp = packets.length > 1 ? this.socket?._socket : null
    tcp?.cork()
    send.call(this, packets)
    tcp?.uncork()
  }
}

const canSend = (prototype: unknown): prototype is WebSocketTransport =>
  typeof (prototype as Partial<WebSocketTransport> | null)?.send === 'function'

const isFrame = (frame: unknown): frame is Buffer[] =>
  Array.isArray(frame) && frame.length > 1 && frame.every(Buffer.isBuffer)

/**
 * Releases the HTTP request that opened a socket, with its headers, cookie and token, which aren't read again. An idle socket
 * then takes 9 KB of heap instead of 17.
 */
export function releaseHandshake({ conn, handshake }: Pick<Socket, 'conn' | 'handshake'>) {
  if ('request' in conn) Object.assign(conn, { request: undefined })
  Object.assign(handshake, { headers: {}, auth: {}, query: {} })
}
