import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { atEnd } from './cleanup.ts'

/** A raw TCP connection to a local server. */
export async function openRawConnection(address: string) {
  const socket = connect(Number(new URL(address).port), '127.0.0.1')
  atEnd(() => socket.destroy())
  socket.on('error', () => {})
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk.toString('latin1')
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  await once(socket, 'connect')
  return { socket, closed, received: () => received, write: (text: string | Uint8Array) => socket.write(text) }
}

/** The head of a WebSocket upgrade request. */
export const upgrade = (...headers: string[]) =>
  [
    'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
    'Host: localhost',
    'Upgrade: websocket',
    'Connection: Upgrade',
    `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
    'Sec-WebSocket-Version: 13',
    ...headers,
    '\r\n',
  ].join('\r\n')

/** A client's WebSocket frame, masked with zeros. */
export function frame(text: string | Uint8Array, opcode = 1) {
  const payload = Buffer.from(text as string)
  const size = payload.length
  const head =
    size < 126
      ? [128 + size]
      : size < 65_536
        ? [254, size >> 8, size & 255]
        : [255, 0, 0, 0, 0, size >>> 24, (size >> 16) & 255, (size >> 8) & 255, size & 255]
  return Buffer.concat([Buffer.from([128 + opcode, ...head, 0, 0, 0, 0]), payload])
}

/** Opens a raw WebSocket, and authenticates if a token is given. */
export async function openRawWebSocket(address: string, token?: string) {
  const line = await openRawConnection(address)
  line.write(upgrade())
  // Engine.IO ignores packets before its handshake.
  while (!line.received().includes('"sid"')) await once(line.socket, 'data')
  if (token !== undefined) line.write(frame(`40${JSON.stringify({ token })}`))
  return line
}
