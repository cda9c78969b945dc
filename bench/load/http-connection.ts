import { connect, type Socket } from 'node:net'

export interface Answer {
  status: number
  /** Valid until the next request of the same connection. */
  body: Buffer
}

/**
 * A keep-alive connection with one request at a time, on a bare socket: an expensive client would slow the ceilings most
 * and flatter Parley. It only understands responses with a content-length, which all of ours have.
 */
export async function openConnection(port: number) {
  const socket: Socket = connect({ host: '127.0.0.1', port, noDelay: true })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))

  let pending: { resolve: (answer: Answer) => void; reject: (error: Error) => void } | undefined
  let chunks: Buffer[] = []
  let have = 0
  /** Bytes of the whole response and of its head, once the head has been read. */
  let need = Number.POSITIVE_INFINITY
  let head = 0
  let status = 0

  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    have += chunk.length
    if (head === 0 && !readHead()) return
    if (have < need) return
    const whole = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, have)
    const answer = { status, body: whole.subarray(head, need) }
    if (have > need) return fail(new Error('a response was longer than its content-length'))
    const waiting = pending
    reset()
    waiting?.resolve(answer)
    return undefined
  })
  socket.on('error', fail)
  socket.on('close', () => fail(new Error('the server closed the connection')))

  function readHead(): boolean {
    const start = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, have)
    const end = start.indexOf('\r\n\r\n')
    if (end < 0) return false
    const text = start.toString('latin1', 0, end)
    const length = /content-length: (\d+)/i.exec(text)?.[1]
    status = Number(text.slice(9, 12))
    head = end + 4
    need = head + Number(length ?? 0)
    return true
  }

  function reset() {
    pending = undefined
    chunks = []
    have = 0
    head = 0
    need = Number.POSITIVE_INFINITY
  }

  function fail(error: Error) {
    const waiting = pending
    reset()
    waiting?.reject(error)
  }

  return {
    ask(request: string): Promise<Answer> {
      return new Promise((resolve, reject) => {
        pending = { resolve, reject }
        socket.write(request)
      })
    },
    close: () => socket.destroy(),
  }
}

/** An HTTP/1.1 request as it goes over the wire. */
export function requestText(method: string, path: string, headers: Record<string, string>, body = '') {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const about = body && `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n`
  return `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}${about}\r\n${body}`
}
