import { open } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname } from 'node:path'
import { matchesBlockAt, REPEATED_BLOCK } from './file-bytes.ts'
import type { Downloads, Uploads } from './jobs.ts'
import type { OutcomeCounter } from './outcome-counter.ts'

/** Bytes per read, always into the same buffer, so that the client takes little CPU time from the server. */
const READ_BUFFER_BYTES = 256 * 1024
/** Bytes compared at both ends of each chunk. */
const COMPARED_BYTES = 4096

interface Answer {
  status: number
  /** Bytes of its body. */
  length: number
}

/** A keep-alive connection for transfers. */
async function openTransferConnection(port: number) {
  let hear: (chunk: Buffer) => void = () => {}
  let fail: (error: Error) => void = () => {}
  const onread = {
    buffer: Buffer.allocUnsafe(READ_BUFFER_BYTES),
    callback(length: number, buffer: Uint8Array) {
      hear((buffer as Buffer).subarray(0, length))
      return true
    },
  }
  const socket = connect({ host: '127.0.0.1', port, noDelay: true, onread })
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  socket.on('error', (error) => fail(error))
  socket.on('close', () => fail(new Error('the server closed the connection')))

  /** Reads the next response; `onBody` receives its body in chunks with their offsets. */
  const answer = (onBody: (chunk: Buffer, place: number) => void) =>
    new Promise<Answer>((resolve, reject) => {
      fail = reject
      let head = ''
      let status = 0
      let length = 0
      let place = 0
      hear = (chunk) => {
        let body = chunk
        if (status === 0) {
          const before = head.length
          head += chunk.toString('latin1')
          const end = head.indexOf('\r\n\r\n')
          if (end < 0) return
          status = Number(head.slice(9, 12))
          length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0)
          body = chunk.subarray(end + 4 - before)
        }
        if (body.length > 0) onBody(body, place)
        place += body.length
        if (place > length) reject(new Error('a response was longer than its content-length'))
        else if (place === length) resolve({ status, length })
      }
    })

  return {
    socket,
    answer,
    /** Resolves when the connection accepts more bytes. */
    give: (bytes: Buffer | string) =>
      socket.write(bytes) ? undefined : new Promise<void>((resolve) => socket.once('drain', resolve)),
  }
}
type TransferConnection = Awaited<ReturnType<typeof openTransferConnection>>

/** Repeats an action on several connections. */
async function repeat(
  { port, connections }: { port: number; connections: number },
  seconds: number,
  counter: OutcomeCounter,
  act: (passage: TransferConnection, turn: number) => Promise<void>,
) {
  const transfers = await Promise.all(Array.from({ length: connections }, () => openTransferConnection(port)))
  counter.begin()
  const until = performance.now() + seconds * 1000
  let turn = 0
  const work = async (passage: TransferConnection) => {
    for (let now = performance.now(); now < until; now = performance.now()) {
      await act(passage, turn++)
      counter.took(performance.now() - now)
    }
  }
  try {
    await Promise.all(transfers.map(work))
  } finally {
    for (const { socket } of transfers) socket.destroy()
  }
}

export function download(job: Downloads, seconds: number, counter: OutcomeCounter) {
  const { path, headers, size, part = size } = job
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}`
  const expected = part === size ? 200 : 206
  return repeat(job, seconds, counter, async ({ socket, answer }, turn) => {
    const start = part === size ? 0 : (turn * 7919 * 4096) % (size - part)
    const range = part === size ? '' : `range: bytes=${start}-${start + part - 1}\r\n`
    let isRight = true
    const answered = answer((chunk, place) => {
      const end = Math.max(0, chunk.length - COMPARED_BYTES)
      isRight &&=
        matchesBlockAt(chunk.subarray(0, COMPARED_BYTES), start + place) &&
        matchesBlockAt(chunk.subarray(end), start + place + end)
    })
    socket.write(`${head}${range}\r\n`)
    const { status, length } = await answered
    if (status !== expected || length !== part || !isRight) throw new Error(`${path}: ${status}, ${length} bytes`)
  })
}

export function upload(job: Uploads, seconds: number, counter: OutcomeCounter) {
  const { method, path, headers, before, after, size, flush } = job
  const length = Buffer.byteLength(before) + size + Buffer.byteLength(after)
  const all = { ...headers, 'content-length': String(length) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  const head = `${method} ${path} HTTP/1.1\r\nhost: localhost\r\n${lines.join('')}\r\n${before}`
  return repeat(job, seconds, counter, async ({ give, answer }) => {
    let body = ''
    const answered = answer((chunk) => {
      body += chunk
    })
    const giving = async () => {
      await give(head)
      for (let left = size; left > 0; left -= REPEATED_BLOCK.length) await give(REPEATED_BLOCK.subarray(0, left))
      await give(after)
    }
    // A refusal may arrive before everything is sent.
    await Promise.race([giving(), answered])
    const { status } = await answered
    if (status >= 300) throw new Error(`${path}: ${status} ${body.slice(0, 300)}`)
    if (flush) for (const name of [flush, dirname(flush)]) await flushed(name)
  })
}

async function flushed(path: string) {
  const file = await open(path)
  await file.sync().finally(() => file.close())
}
