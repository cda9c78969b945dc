import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { io as connect, type Socket } from 'socket.io-client'
import { beforeAll, expect, test } from 'vitest'
import { beginUpload } from '../support/begin-upload.ts'
import { atEnd } from '../support/cleanup.ts'
import { audit, noFaults, startSenders, untilSent } from '../support/send-load.ts'
import {
  type ApiClient,
  openServerProcess,
  type ServerProcess,
  signalTo,
  signUpClient,
} from '../support/server-process.ts'

// The program with PROCESSES=2 and its own database.

const SOCKETS_EACH = 20
const TRANSPORTS = [['polling'], ['websocket'], ['polling', 'websocket']]

let parley: ServerProcess
let ada: ApiClient
let bob: ApiClient
let generalId: string

beforeAll(async () => {
  parley = await openServerProcess({ PROCESSES: '2', DRAIN: '4' })
  await parley.start()
  ada = await signUpClient(parley.address, 'ada')
  bob = await signUpClient(parley.address, 'bob')
  generalId = (await ada.call('GET', '/api/channels')).body.channels[0].id
})

/** The ids of the processes that share a port. */
async function processes({ pid } = parley) {
  const found: number[] = []
  for (const name of (await readdir('/proc')).filter((it) => /^\d+$/.test(it))) {
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    const command = await readFile(`/proc/${name}/cmdline`, 'utf8').catch(() => '')
    const [, parent] = /\) \w (\d+)/.exec(stat) ?? []
    if (Number(parent) === pid() && /worker\.(ts|js)/.test(command)) found.push(Number(name))
  }
  return found
}

/** Connects like a browser, and reconnects after every disconnection. */
function openSocket({ address, token }: ApiClient, transports: string[]) {
  const socket = connect(address, { auth: { token }, transports, forceNew: true, reconnectionDelay: 50 })
  const messages = new Set<string>()
  socket.on('disconnect', (reason) => reason === 'io server disconnect' && socket.connect())
  socket.on('message:created', ({ id }: { id: string }) => messages.add(id))
  atEnd(() => void socket.close())
  return { socket, messages, transports }
}

const openSockets = () =>
  TRANSPORTS.flatMap((transports) => Array.from({ length: SOCKETS_EACH }, () => openSocket(bob, transports)))
const transportOf = ({ io }: Socket) => io.engine.transport.name
const connected = (sockets: { socket: Socket }[]) => sockets.filter(({ socket }) => socket.connected).length

async function say(content: string) {
  const { status, body } = await ada.call('POST', '/api/messages', { channelId: generalId, content })
  expect(status).toBe(201)
  return body.id as string
}

/** The samples of a metric by process. */
async function samples(name: string, { address } = parley) {
  const text = await (await fetch(`${address}/metrics`)).text()
  const lines = [...text.matchAll(new RegExp(`^${name}\\{.*process="(\\d)".*} (.+)$`, 'gm'))]
  return Map.groupBy(lines, ([, number]) => number as string)
}

const socketsOf = async () =>
  [...(await samples('parley_sockets')).values()].map((lines) => lines.reduce((sum, [, , n]) => sum + Number(n), 0))

test('sockets of both processes receive everything, by polling only, by WebSocket and while upgrading', async () => {
  const sockets = openSockets()
  const refusals: string[] = []
  for (const { socket } of sockets) {
    socket.on('connect_error', ({ message }) => refusals.push(message))
    socket.on('disconnect', (reason) => refusals.push(reason))
  }
  await expect.poll(() => connected(sockets)).toBe(sockets.length)
  const upgrading = sockets.filter(({ transports }) => transports.length === 2)
  await expect.poll(() => new Set(upgrading.map(({ socket }) => transportOf(socket)))).toEqual(new Set(['websocket']))
  const id = await say('to everyone')
  await expect.poll(() => sockets.filter(({ messages }) => messages.has(id)).length).toBe(sockets.length)
  expect(refusals).toEqual([])

  const counts = await socketsOf()
  expect(counts).toHaveLength(2)
  expect(Math.min(...counts)).toBeGreaterThan(0)
  expect(counts.reduce((sum, count) => sum + count)).toBe(sockets.length)
  for (const { socket } of sockets) socket.close()
})

test('metrics include each process once', async () => {
  for (const name of ['parley_nodes', 'process_start_time_seconds', 'parley_http_request_duration_seconds_count'])
    expect([...(await samples(name)).keys()].sort()).toEqual(['1', '2'])
  const text = await (await fetch(`${parley.address}/metrics`)).text()
  const lines = text.split('\n').filter((line) => line && !line.startsWith('#'))
  expect(new Set(lines.map((line) => line.slice(0, line.lastIndexOf(' ')))).size).toBe(lines.length)
})

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a process that receives %s loses nothing, and is replaced',
  async (signal) => {
    const sockets = openSockets()
    await expect.poll(() => connected(sockets)).toBe(sockets.length)
    const senders = startSenders([ada, bob], [generalId], 100)
    await untilSent(senders)
    const before = await processes()
    expect(before).toHaveLength(2)
    signalTo(before[0] as number, signal)
    await expect.poll(async () => (await processes()).filter((pid) => !before.includes(pid)).length).toBe(1)
    await untilSent(senders)
    await expect.poll(socketsOf).toHaveLength(2)
    await senders.stop()
    // HTTP/1.1 cannot prevent that a client uses an idle connection in the moment in which it is closed. If responses didn't
    // close their connections while the process drains, all that are open at its end would be reset.
    if (signal === 'SIGTERM') expect(['', 'read ECONNRESET']).toContain(senders.unanswered().join(', '))
    expect(await audit(await parley.databaseUrl(), senders.record)).toEqual(noFaults)
    await expect.poll(() => connected(sockets)).toBe(sockets.length)
    const id = await say(`after ${signal}`)
    await expect.poll(() => sockets.filter(({ messages }) => messages.has(id)).length).toBe(sockets.length)
    for (const { socket } of sockets) socket.close()
  },
)

test('when a service manager stops all processes at the same time, they respond until they end', async () => {
  const settings = { DATABASE_URL: await parley.databaseUrl(), DATA_DIR: parley.dataDir }
  const machine = await openServerProcess({ ...settings, PROCESSES: '2', DRAIN: '60' })
  await machine.start()
  await expect.poll(async () => (await samples('parley_nodes')).get('1')?.[0]?.[2]).toBe('4')
  // Several, because a process without requests ends early.
  const uploads = Array.from({ length: 8 }, () => beginUpload(machine.address, ada, generalId))
  for (const upload of uploads) await upload.write('half')
  const underWay = async () =>
    [...(await samples('parley_queue_length', machine)).values()].flatMap((lines) =>
      lines.filter(([line]) => line.includes('"requests"')).map(([, , n]) => Number(n)),
    )
  await expect.poll(async () => (await underWay()).reduce((sum, n) => sum + n, 0)).toBe(uploads.length)
  expect(Math.min(...(await underWay()))).toBeGreaterThan(0)
  for (const pid of await processes(machine)) signalTo(pid, 'SIGTERM')
  const isReady = async () => (await fetch(`${machine.address}/readyz`, { headers: { connection: 'close' } })).status
  await expect.poll(isReady).toBe(503)
  for (let n = 0; n < 10; n++) expect(await isReady()).toBe(503)
  const stopped = machine.kill('SIGTERM')
  for (const upload of uploads) expect(await upload.finish()).toMatchObject({ status: 201 })
  await stopped
})

test('a database that dies is restarted, and both processes continue', async () => {
  const before = await parley.postmaster()
  signalTo(before?.pid as number, 'SIGKILL')
  await expect.poll(async () => (await parley.postmaster())?.pid !== before?.pid).toBe(true)
  await expect.poll(() => say('still here').catch(() => '')).not.toBe('')
  expect(await processes()).toHaveLength(2)
})

test('when the parent dies, no process is left behind, and the next start has all data', async () => {
  const id = await say('before')
  const pids = await processes()
  await parley.kill('SIGKILL')
  await expect.poll(() => Promise.all(pids.map(isAlive))).toEqual([false, false])
  await parley.start()
  const { body } = await ada.call('GET', `/api/messages/channel/${generalId}?limit=1`)
  expect(body[0].id).toBe(id)
})

test('on a stop signal, all processes and their database end promptly', async () => {
  const pids = await processes()
  expect(pids).toHaveLength(2)
  await parley.kill('SIGTERM')
  expect(await Promise.all(pids.map(isAlive))).toEqual([false, false])
  expect(await readdir(join(parley.dataDir, 'postgres'))).not.toContain('postmaster.pid')
})

/** Whether it is running: an ended process may remain until its parent reaps it. */
const isAlive = async (pid: number) => /\) [^ZX] /.test(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
