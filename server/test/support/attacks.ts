import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { crc32, createDeflate } from 'node:zlib'
import pg from 'pg'
import type { ApiClient } from './server-process.ts'

// Attacks that try to exhaust the server's memory. Each continues until its signal aborts.

const MB = 1024 * 1024

/** Resident memory of a process in MB. */
export async function rssOf(pid: number) {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024
}

/** Stores messages of 10,000 characters directly, without the rate limits of sending. */
export async function fill(databaseUrl: string, channelIds: string[], author: string, each: number) {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  for (const channelId of channelIds)
    await client.query(
      `select from send_messages(
        (select array_agg(gen_random_uuid()) from generate_series(1, $3)),
        array_fill($1::uuid, array[$3::int]), array_fill($2::text, array[$3::int]),
        array_fill(repeat('long ', 2000), array[$3::int]), array_fill(null::text, array[$3::int]),
        array_fill(null::jsonb, array[$3::int]), true)`,
      [channelId, author, each],
    )
  await client.end()
}

/** Requests the changes since every revision, and reads the responses. Returns how many succeeded. */
export async function requestAllChanges(
  { call }: ApiClient,
  channelId: string,
  from: number,
  to: number,
  done: AbortSignal,
) {
  let answers = 0
  for (let n = 0; !done.aborted; n++) {
    // A timeout counts as no answer.
    const request = call('GET', `/api/channels/${channelId}/changes?after=${from + (n % (to - from))}`)
    const { status } = await request.catch(() => ({ status: 0 }))
    if (status === 200) answers++
    if (status === 429) await sleep(200)
  }
  return answers
}

/** Sends requests on connections that never read. Reopens connections that the server closes. */
export async function requestWithoutReading(
  { address, token }: ApiClient,
  requests: { method: string; path: string; body?: object }[],
  atOnce: number,
  done: AbortSignal,
) {
  const open = new Set<Socket>()
  const { port } = new URL(address)
  for (let n = 0; !done.aborted; n++) {
    if (open.size >= atOnce) {
      await sleep(50)
      continue
    }
    const { method, path, body } = requests[n % requests.length] as (typeof requests)[number]
    const payload = body ? JSON.stringify(body) : ''
    const socket = connect(Number(port), '127.0.0.1')
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
    socket.pause()
    socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n${
        body ? `Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(payload)}\r\n` : ''
      }\r\n${payload}`,
    )
    await sleep(5)
  }
  for (const socket of open) socket.destroy()
}

/** Opens sockets by polling that authenticate with 3 KB of extra data and close, all in one payload. */
export async function connectAndClose(
  { address, token }: Pick<ApiClient, 'address' | 'token'>,
  count: number,
  done?: AbortSignal,
) {
  let connected = 0
  for (; connected < count && !done?.aborted; await sleep(20)) {
    const opened = await fetch(`${address}/socket.io/?EIO=4&transport=polling`)
    if (opened.status !== 200) continue
    const { sid } = JSON.parse((await opened.text()).slice(1)) as { sid: string }
    const body = `40${JSON.stringify({ token, more: 'x'.repeat(3_000) })}\x1e1`
    const response = await fetch(`${address}/socket.io/?EIO=4&transport=polling&sid=${sid}`, { method: 'POST', body })
    await response.text()
    connected++
  }
  return connected
}

/** JSON that takes many times its size when parsed. */
const junk = (bytes: number) => `[${'[],'.repeat(bytes / 3)}[]]`

/** Posts a body many times concurrently, and again after each response. Returns the number of responses. */
export async function postRepeatedly(
  { address, token }: ApiClient,
  path: string,
  body: string,
  atOnce: number,
  done: AbortSignal,
) {
  let answers = 0
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const repeat = async () => {
    while (!done.aborted) {
      const answer = await fetch(address + path, { method: 'POST', headers, body }).catch(() => undefined)
      await answer?.arrayBuffer().catch(() => {})
      if (answer) answers++
      if (answer?.status !== 200) await sleep(500)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, repeat))
  return answers
}

/** A request body padded with values that no schema names. */
export const paddedBody = (body: object, junkBytes: number) =>
  `${JSON.stringify(body).slice(0, -1)},"more":${junk(junkBytes)}}`

/** Opens unauthenticated sockets, and announces binary packets whose last part never arrives. */
export async function sendAttachments({ address }: ApiClient, atOnce: number, done: AbortSignal) {
  let opened = 0
  const open = new Set<WebSocket>()
  for (; !done.aborted; await sleep(5)) {
    if (open.size >= atOnce) continue
    const socket = new WebSocket(`${address.replace('http', 'ws')}/socket.io/?EIO=4&transport=websocket`)
    open.add(socket)
    socket.addEventListener('error', () => {})
    socket.addEventListener('close', () => open.delete(socket))
    socket.addEventListener('open', () => {
      opened++
      socket.send(`4510-["typing",${junk(60_000)}]`)
      for (let n = 0; n < 9; n++) socket.send(new Uint8Array(60_000))
    })
  }
  for (const socket of open) socket.close()
  return opened
}

/** Emits as many large events as the rate limits allow, between ones that wait for the database. */
export async function emitLargeEvents(
  { address, token }: ApiClient,
  channelId: string,
  bytes: number,
  done: AbortSignal,
) {
  const { io } = await import('socket.io-client')
  const socket = io(address, { auth: { token }, transports: ['websocket'], forceNew: true, reconnectionDelay: 500 })
  const payload = JSON.parse(junk(bytes))
  let emitted = 0
  for (; !done.aborted; await sleep(1000)) {
    if (socket.active === false) socket.connect()
    for (let n = 0; n < 25 && socket.connected; n++, emitted++) {
      socket.emit('typing', { channelId })
      socket.emit('typing', { channelId, payload })
    }
  }
  socket.close()
  return emitted
}

/** Requests a cheap call by an encoded path, which may evade the rate limits. */
export async function requestEncodedPath({ address }: ApiClient, done: AbortSignal) {
  const one = async () => {
    while (!done.aborted) await (await fetch(`${address}/%61pi/auth/ways`)).text()
  }
  await Promise.all(Array.from({ length: 20 }, one))
}

/** An interlaced single-color PNG with 16 bits and four channels: a small file that can only be decoded as a whole. */
export async function interlacedPicture(width: number, height: number): Promise<Buffer> {
  const deflate = createDeflate({ level: 1 })
  const packed: Buffer[] = []
  deflate.on('data', (chunk) => packed.push(chunk))
  // The seven passes of Adam7: start and step of each. A row is a filter byte and its pixels, all zero.
  let left = 0
  for (const [x, y, dx, dy] of [
    [0, 0, 8, 8],
    [4, 0, 8, 8],
    [0, 4, 4, 8],
    [2, 0, 4, 4],
    [0, 2, 2, 4],
    [1, 0, 2, 2],
    [0, 1, 1, 2],
  ] as const)
    left += Math.ceil((height - y) / dy) * (1 + 8 * Math.ceil((width - x) / dx))
  const zeros = Buffer.alloc(MB)
  for (; left > 0; left -= MB)
    if (!deflate.write(left < MB ? zeros.subarray(0, left) : zeros)) await once(deflate, 'drain')
  deflate.end()
  await once(deflate, 'end')
  const head = Buffer.alloc(13)
  head.writeUInt32BE(width, 0)
  head.writeUInt32BE(height, 4)
  head.set([16, 6, 0, 0, 1], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunkOf('IHDR', head),
    chunkOf('IDAT', Buffer.concat(packed)),
    chunkOf('IEND', Buffer.alloc(0)),
  ])
}

function chunkOf(name: string, data: Buffer) {
  const chunk = Buffer.alloc(12 + data.length)
  chunk.writeUInt32BE(data.length, 0)
  chunk.write(name, 4, 'latin1')
  data.copy(chunk, 8)
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length)
  return chunk
}

/** Uploads a picture repeatedly. Returns how many uploads succeeded. */
export async function uploadRepeatedly({ address, token }: ApiClient, picture: Buffer, done: AbortSignal) {
  let arrived = 0
  while (!done.aborted) {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(picture)]), `${randomUUID()}.png`)
    const headers = { authorization: `Bearer ${token}` }
    const answer = await fetch(`${address}/api/files/upload`, { method: 'POST', headers, body: form })
    await answer.text()
    if (answer.status === 201) arrived++
  }
  return arrived
}
