import { connect } from 'node:net'
import { createSplitter, textFrame } from './websocket-frames.ts'

interface ListenerEvents {
  /** The socket is authenticated and in its channels. */
  ready(epoch: string): void
  /** A `message:created`: its packet between two offsets of a buffer, valid only during the call. */
  message(bytes: Buffer, from: number, to: number): void
  /** A channel's current revision; its event may have been missed. */
  revChanged(channelId: string, rev: number): void
  /** The connection was closed by either side; called once. */
  ended(why: string): void
}

/** The start of a packet with a message; the message's id follows. */
export const MESSAGE = '42["message:created",{"id":"'
const READY = '42["ready",'
const CHANNEL_REV = '42["channel:rev",'
const PONG = textFrame('3')
/** The headers of a browser with a session cookie, whose memory counts if a server retains them. */
const UPGRADE = [
  'GET /socket.io/?EIO=4&transport=websocket HTTP/1.1',
  'Host: localhost',
  'Connection: Upgrade',
  'Pragma: no-cache',
  'Cache-Control: no-cache',
  'User-Agent: Mozilla/5.0 (X11; Linux x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
  'Upgrade: websocket',
  'Origin: http://localhost',
  'Sec-WebSocket-Version: 13',
  'Accept-Encoding: gzip, deflate, br, zstd',
  'Accept-Language: en-GB,en;q=0.9',
  `Cookie: parley.session_token=${'c'.repeat(80)}`,
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Extensions: permessage-deflate; client_max_window_bits',
  '\r\n',
].join('\r\n')
/** The buffer that all sockets read into, one after the other. */
const place = Buffer.alloc(256 * 1024)
/** Timeout for the server's first answer, as in the browser; there is none afterwards. */
const CONNECT_TIMEOUT_MS = 10_000

/** A raw live connection: a client library would cost more for 5,000 of them than the server does. */
export function listen(port: number, token: string, hears: ListenerEvents) {
  let isUpgraded = false
  let head = ''
  let why = 'closed'
  const split = createSplitter(take)
  const socket = connect({
    host: '127.0.0.1',
    port,
    noDelay: true,
    onread: {
      buffer: place,
      callback: (size, buffer) => {
        const chunk = (buffer as Buffer).subarray(0, size)
        if (isUpgraded) split(chunk)
        else readHead(chunk)
        return true
      },
    },
  })
  const impatient = setTimeout(() => end('timeout'), CONNECT_TIMEOUT_MS)
  socket.on('connect', () => socket.write(UPGRADE))
  socket.on('error', ({ message }) => {
    why = message
  })
  socket.on('close', () => {
    clearTimeout(impatient)
    hears.ended(why)
  })
  socket.resume()

  function readHead(chunk: Buffer) {
    head += chunk.toString('latin1')
    const length = head.indexOf('\r\n\r\n') + 4
    if (length < 4) return
    if (!head.startsWith('HTTP/1.1 101')) return end(head.slice(0, 40))
    isUpgraded = true
    const rest = Buffer.from(head.slice(length), 'latin1')
    head = ''
    if (rest.length > 0) split(rest)
  }

  function take(opcode: number, bytes: Buffer, from: number, to: number) {
    if (opcode === CLOSE) return end('closed by the server')
    if (opcode !== TEXT) return end(`a frame of kind ${opcode}`)
    const kind = bytes[from]
    if (kind === MESSAGE_PACKET && bytes[from + 4] === LETTER_M) return hears.message(bytes, from, to)
    if (kind === PING) return void socket.write(PONG)
    const text = bytes.toString('utf8', from, to)
    if (text.startsWith('0')) {
      clearTimeout(impatient)
      socket.write(textFrame(`40${JSON.stringify({ token })}`))
    } else if (text.startsWith('44')) end(text)
    else if (text.startsWith(CHANNEL_REV)) {
      const [, { channelId, rev }] = JSON.parse(text.slice(2)) as [string, { channelId: string; rev: number }]
      hears.revChanged(channelId, rev)
    } else if (text.startsWith(READY)) {
      const [, { epoch }] = JSON.parse(text.slice(2)) as [string, { epoch: string }]
      hears.ready(epoch)
    }
  }

  function end(reason: string) {
    why = reason
    socket.destroy()
  }
  return { end: () => end('left') }
}

const TEXT = 1
const CLOSE = 8
/** First bytes: `4` of a packet of Socket.IO, `2` of a ping; fifth: `m` of `42["message:created"`. */
const MESSAGE_PACKET = 0x34
const PING = 0x32
const LETTER_M = 0x6d
