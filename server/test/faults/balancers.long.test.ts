import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { io as connect, type Socket } from 'socket.io-client'
import { beforeAll, expect, test } from 'vitest'
import { type Balancer, type BalancerName, balancerNames, startBalancer } from '../services/balancers.ts'
import { atEnd } from '../support/cleanup.ts'
import { type Person, serve, startParley, untilPeers } from '../support/parley.ts'

// The configurations of docs/running/several-nodes.md, each in front of the same two nodes.

/** Long enough for the balancers, which check every second, to notice a stopping node. */
const settings = { TRUST_PROXY: '127.0.0.1', DRAIN: '25' }
const TRANSPORTS = [['polling'], ['websocket'], ['polling', 'websocket']]
const SOCKETS_EACH = 4

let one: Awaited<ReturnType<typeof startParley>>
let two: Awaited<ReturnType<typeof serve>>
let ada: Person
let generalId: string
const balancers = new Map<BalancerName, Balancer>()

const portOf = ({ address }: { address: string }) => Number(new URL(address).port)

beforeAll(async () => {
  one = await startParley(settings)
  two = await serve(one.databaseUrl, settings)
  ada = await one.person('ada')
  generalId = (await ada.get('/api/channels')).body.channels[0].id
  await untilPeers(one, two)
  await Promise.all(
    balancerNames.map(async (name) => {
      const balancer = await startBalancer(name, [portOf(one), portOf(two)])
      if (!balancer) return
      atEnd(balancer.stop)
      balancers.set(name, balancer)
    }),
  )
})

/** Connects like a browser: keeps cookies, and reconnects after every disconnection. */
function openSocket({ address, name }: Balancer, transports: string[]) {
  const auth = { token: ada.token }
  const socket = connect(address, { auth, transports, withCredentials: true, forceNew: true, reconnectionDelay: 50 })
  const refusals: string[] = []
  const messages = new Set<string>()
  socket.on('connect_error', ({ message, description }: Error & { description?: unknown }) =>
    refusals.push(`${name}, ${transports}: ${message} ${(description as { status?: number })?.status ?? ''}`),
  )
  socket.on('disconnect', (reason) => reason === 'io server disconnect' && socket.connect())
  socket.on('message:created', ({ id }: { id: string }) => messages.add(id))
  atEnd(() => void socket.close())
  return { socket, refusals, messages }
}

interface Call {
  method: string
  path: string
  body?: string | FormData
  headers?: Record<string, string>
  /** A local address. */
  from?: string
}

/** A client whose requests use separate connections, with the cookies that the balancer set. */
function openClient({ address }: Balancer) {
  let cookie = ''
  return async ({ method, path, body, headers, from }: Call) => {
    // Encodes forms.
    const encoded = new Response(body)
    const type = encoded.headers.get('content-type')
    const sending = request(address + path, {
      method,
      agent: false,
      ...(from && { localAddress: from }),
      headers: { authorization: `Bearer ${ada.token}`, cookie, ...(type && { 'content-type': type }), ...headers },
    })
    sending.end(Buffer.from(await encoded.arrayBuffer()))
    const [answer] = (await once(sending, 'response')) as [IncomingMessage]
    for (const line of answer.headers['set-cookie'] ?? []) cookie = line.split(';')[0] ?? ''
    return { status: answer.statusCode, bytes: await buffer(answer) }
  }
}
type Client = ReturnType<typeof openClient>

const say = (call: Client, content: string) =>
  call({
    method: 'POST',
    path: '/api/messages',
    body: JSON.stringify({ channelId: generalId, content }),
    headers: { 'content-type': 'application/json' },
  })

const connected = (sockets: Socket[]) => sockets.filter((it) => it.connected).length

test.for(balancerNames)('the documented %s passes calls, files and sockets', async (name, { skip }) => {
  const balancer = balancers.get(name) ?? skip()
  const opened = TRANSPORTS.flatMap((transports) =>
    Array.from({ length: SOCKETS_EACH }, () => openSocket(balancer, transports)),
  )
  await expect.poll(() => connected(opened.map(({ socket }) => socket))).toBe(opened.length)
  expect(opened.flatMap(({ refusals }) => refusals)).toEqual([])
  // Without sticky sessions, sockets that poll could not connect at all.
  for (const { app } of [one, two]) expect(app.realtime.io.of('/').sockets.size).toBeGreaterThan(0)

  const call = openClient(balancer)
  const sent = await say(call, `through ${name}`)
  expect(sent.status).toBe(201)
  const { id } = JSON.parse(`${sent.bytes}`)
  await expect.poll(() => opened.filter(({ messages }) => messages.has(id)).length).toBe(opened.length)

  const bytes = randomBytes(3 * 1024 * 1024)
  const form = new FormData()
  form.append('channelId', generalId)
  form.append('file', new Blob([bytes]), 'random.bin')
  const uploaded = await call({ method: 'POST', path: '/api/files/upload', body: form })
  expect(uploaded.status).toBe(201)
  const downloaded = await call({ method: 'GET', path: JSON.parse(`${uploaded.bytes}`).url })
  expect(downloaded.bytes.equals(bytes)).toBe(true)

  const { status } = await call({
    method: 'POST',
    path: '/api/auth/sign-in/email',
    body: JSON.stringify({ email: ada.email, password: ada.password }),
    // Spoofs another address.
    headers: { 'content-type': 'application/json', origin: balancer.address, 'x-forwarded-for': '203.0.113.9' },
    from: '127.0.0.2',
  })
  expect(status).toBe(200)
  const { ipAddress } = await one.app.db
    .selectFrom('sessions')
    .select('ipAddress')
    .orderBy('createdAt', 'desc')
    .executeTakeFirstOrThrow()
  expect(ipAddress).toBe('127.0.0.2')
  for (const { socket } of opened) socket.close()
})

test('while a node stops, no balancer refuses anybody, and everybody ends up on the other node', async ({ skip }) => {
  if (balancers.size === 0) skip()
  await expect.poll(() => one.app.realtime.io.of('/').sockets.size + two.app.realtime.io.of('/').sockets.size).toBe(0)
  const sockets = [...balancers.values()].flatMap((balancer) => TRANSPORTS.map((it) => openSocket(balancer, it)))
  await expect.poll(() => connected(sockets.map(({ socket }) => socket))).toBe(sockets.length)

  const stopped = new AbortController()
  const failures: string[] = []
  let sent = 0
  /** Sends from new and returning clients until stopped. */
  async function keepSending(balancer: Balancer) {
    const returning = openClient(balancer)
    while (!stopped.signal.aborted) {
      for (const call of [returning, openClient(balancer)]) {
        const { status } = await say(call, 'still here')
        if (status !== 201) failures.push(`${balancer.name}: ${status}`)
        sent++
      }
      await sleep(10)
    }
  }
  const sending = [...balancers.values()].map(keepSending)
  await balancers.get('nginx')?.takeOutSecond()
  await expect.poll(() => connected(sockets.map(({ socket }) => socket))).toBe(sockets.length)
  // While nginx reloads, a client may start connecting by its old configuration and continue by the new one, on the other node.
  for (const { refusals } of sockets) refusals.length = 0
  await two.app.drain.run(new AbortController().signal)
  await two.app.close()
  const before = sent
  await expect.poll(() => sent).toBeGreaterThan(before + 20)
  await expect.poll(() => one.app.realtime.io.of('/').sockets.size).toBe(sockets.length)
  stopped.abort()
  await Promise.all(sending)
  expect(failures).toEqual([])
  expect(sockets.flatMap(({ refusals }) => refusals)).toEqual([])
})
