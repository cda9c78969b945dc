import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { io as connect } from 'socket.io-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startEmbeddedPostgres } from '../../postgres/embedded-postgres.ts'
import { beginUpload } from '../support/begin-upload.ts'
import { atEnd } from '../support/cleanup.ts'
import { onDatabase } from '../support/database.ts'
import { follow } from '../support/event-follower.ts'
import { startRoundRobin } from '../support/round-robin.ts'
import { audit, noFaults, startSenders, untilSent } from '../support/send-load.ts'
import { type ApiClient, openServerProcess, type ServerProcess, signUpClient } from '../support/server-process.ts'

// One of two nodes stops or dies while people work. SHOW=1 prints how long clients were disconnected.

const SENDS_PER_SECOND = 100
const SOCKETS = 100
const CHUNKS = 100
const chunk = Buffer.alloc(1024 * 1024, 'parley ')

let postgres: Awaited<ReturnType<typeof startEmbeddedPostgres>>
let nodes: [ServerProcess, ServerProcess]
beforeAll(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-rolling-'))
  postgres = await startEmbeddedPostgres({ dataDir, password: 'test', log: () => {} })
  // Nodes refuse a database without the secrets that it was created with, so they share a separate folder.
  const shared = await mkdtemp(join(tmpdir(), 'parley-rolling-'))
  const settings = { DATABASE_URL: postgres.url, DATA_DIR: shared, DRAIN: '3600' }
  const open = (PROCESSES: string) => openServerProcess({ ...settings, PROCESSES })
  // The second machine has two processes.
  nodes = [await open('1'), await open('2')]
  for (const node of nodes) await node.start()
})
afterAll(async () => {
  for (const node of nodes) await node.kill('SIGKILL')
  await postgres.stop()
})

async function sendHalf({ write }: ReturnType<typeof beginUpload>) {
  for (let i = 0; i < CHUNKS / 2; i++) await write(chunk)
}

/** Two people behind a load balancer, and a follower. */
async function openWorkspace(...names: [string, string]) {
  const addresses = nodes.map((node) => node.address)
  const { address, ready } = await startRoundRobin(addresses, { checksHealth: true })
  const [first, second] = [await signUpClient(address, names[0]), await signUpClient(address, names[1])] as const
  const { body } = await first.call('GET', '/api/channels')
  const channelId = body.channels[0].id as string
  return { address, ready, people: [first, second] as const, channelId, follower: follow(second, [channelId]) }
}

/** Connects sockets with a browser's delays. `away` contains the duration of each absence, in milliseconds. */
function openSockets(address: string, people: readonly ApiClient[]) {
  const reasons = new Set<string>()
  const away: number[] = []
  let connected = 0
  for (let i = 0; i < SOCKETS; i++) {
    const { token } = people[i % people.length] as ApiClient
    const socket = connect(address, { auth: { token }, transports: ['websocket'], forceNew: true })
    atEnd(() => void socket.close())
    let leftAt = 0
    socket.on('connect', () => {
      connected++
      if (leftAt > 0) away.push(Math.round(performance.now() - leftAt))
    })
    socket.on('disconnect', (reason) => {
      connected--
      leftAt = performance.now()
      reasons.add(reason)
    })
  }
  return { away, reasons, untilAllConnected: () => expect.poll(() => connected).toBe(SOCKETS) }
}

/** Waits until the follower has exactly the stored messages, in order. */
async function expectSeen(follower: ReturnType<typeof follow>, channelId: string) {
  const { rows } = await onDatabase(postgres.url, (client) =>
    client.query(
      `select rev || ' ' || id || ' ' || content as line from messages where "channelId" = $1 order by seq`,
      [channelId],
    ),
  )
  await expect.poll(() => follower.sees(channelId)).toEqual(rows.map(({ line }) => line))
}

function show(away: number[]) {
  if (!process.env['SHOW']) return
  const sorted = away.sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]
  console.log(`${sorted.length} absences: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, longest ${at(1)} ms`)
}

test('a rolling restart cuts off no send and no upload, and clients miss nothing', async () => {
  const { address, ready, people, channelId, follower } = await openWorkspace('ada', 'bob')
  const [ada] = people
  const { away, reasons, untilAllConnected } = openSockets(address, people)
  await untilAllConnected()

  const senders = startSenders([...people], [channelId], SENDS_PER_SECOND)
  for (const node of nodes) {
    await untilSent(senders)
    const upload = beginUpload(node.address, ada, channelId)
    await sendHalf(upload)
    const stopped = node.kill('SIGTERM')
    await expect.poll(async () => (await fetch(`${node.address}/readyz`)).json()).toEqual({ status: 'draining' })
    await expect.poll(() => ready().length).toBe(1)
    await sendHalf(upload)
    expect(await upload.finish()).toMatchObject({ status: 201, body: { size: CHUNKS * chunk.length } })
    await stopped
    await node.start()
    await expect.poll(() => ready().length).toBe(2)
  }
  await untilSent(senders)
  await senders.stop()

  expect(senders.unanswered()).toEqual([])
  expect(await audit(postgres.url, senders.record)).toEqual(noFaults)
  // An explicitly disconnected client would not reconnect automatically.
  expect([...reasons]).toEqual(['transport close'])
  await untilAllConnected()
  await expectSeen(follower, channelId)
  show(away)
  follower.close()
}, 400_000)

test('a killed node loses no message, and its clients move to the other one', async () => {
  const { address, ready, people, channelId, follower } = await openWorkspace('cyd', 'dan')
  const { away, untilAllConnected } = openSockets(address, people)
  await untilAllConnected()
  const senders = startSenders([...people], [channelId], SENDS_PER_SECOND)
  await untilSent(senders)
  await nodes[0].kill('SIGKILL')
  await expect.poll(() => ready().length).toBe(1)
  await untilSent(senders)
  await untilAllConnected()
  await senders.stop()
  expect(await audit(postgres.url, senders.record)).toEqual(noFaults)
  await expectSeen(follower, channelId)
  show(away)
  follower.close()
  await nodes[0].start()
}, 400_000)

test('on a second stop signal, a node does not wait for an upload', async () => {
  const [node] = nodes
  const eve = await signUpClient(node.address, 'eve')
  const { body } = await eve.call('GET', '/api/channels')
  await expect.poll(() => metricOf(node, 'parley_nodes')).toBe(3)
  await sendHalf(beginUpload(node.address, eve, body.channels[0].id))
  const stopped = node.kill('SIGTERM')
  await expect.poll(async () => (await fetch(`${node.address}/readyz`)).json()).toEqual({ status: 'draining' })
  const again = setInterval(() => void node.kill('SIGTERM'), 500)
  await stopped.finally(() => clearInterval(again))
})

async function metricOf({ address }: ServerProcess, name: string) {
  const text = await (await fetch(`${address}/metrics`)).text()
  return Number(new RegExp(`^${name} (.*)$`, 'm').exec(text)?.[1])
}
