import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Person, serve, startParley } from '../../server/test/support/parley.ts'
import { startRoundRobin } from '../../server/test/support/round-robin.ts'
import { createSocket, keepConnected } from '../../web/socket/connection.ts'

// The web client's connection through load balancers.

const session = vi.hoisted(() => ({ token: '' }))
vi.mock('../../web/session/session.ts', () => ({
  bearer: async () => session.token,
  renewBearer: async () => session.token,
  tokenLife: () => Number.POSITIVE_INFINITY,
}))

let parley: Awaited<ReturnType<typeof startParley>>
let ada: Person
let nodes: string[]
beforeAll(async () => {
  parley = await startParley()
  ada = await parley.person('ada')
  session.token = ada.token
  nodes = [parley.address, (await serve(parley.databaseUrl)).address]
})
afterAll(() => vi.unstubAllGlobals())

const endings: (() => void)[] = []
afterEach(() => {
  for (const end of endings.splice(0)) end()
})

/** Opens the web client's connection to an address. @param isReversed tries the transports as after a failed attempt */
function open(address: string, isReversed = false, isIdle = false) {
  const { protocol, host, hostname, port } = new URL(address)
  vi.stubGlobal('location', { protocol, host, hostname, port })
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
  const idleness = { isIdle: () => isIdle, watch: () => () => {} }
  const socket = createSocket(idleness)
  if (isReversed) socket.io.opts.transports?.reverse()
  let isReady = false
  socket.on('ready', () => {
    isReady = true
  })
  endings.push(keepConnected(socket, idleness))
  return { socket, untilReady: () => expect.poll(() => isReady).toBe(true) }
}

const transportOf = ({ io }: ReturnType<typeof createSocket>) => io.engine.transport.name

test('the first connection to one node polls first, as specified, and is upgraded', async () => {
  const { socket, untilReady } = open(parley.address)
  const names: string[] = []
  socket.io.on('open', () => names.push(transportOf(socket)))
  await untilReady()
  expect(names).toEqual(['polling'])
  await expect.poll(() => transportOf(socket)).toBe('websocket')
})

test('a page that connects while its user is idle never shows them as active', async () => {
  const { bob, cyd } = await parley.people('bob', 'cyd')
  session.token = cyd.token
  endings.push(() => {
    session.token = ada.token
  })
  const watcher = await bob.listen()
  const { socket, untilReady } = open(parley.address, false, true)
  await untilReady()
  const isCyds = ({ userId }: { userId: string }) => userId === cyd.id
  await watcher.waitFor('user:status_changed', (it) => isCyds(it) && it.isIdle === true)
  socket.disconnect().connect()
  await expect.poll(() => socket.connected).toBe(true)
  await cyd.put('/api/users/status', { user_status: '🌴' })
  await watcher.waitFor('user:status_changed', (it) => isCyds(it) && it.user_status === '🌴')
  const changes = watcher.all('user:status_changed').filter(isCyds)
  expect(changes.map(({ status, isIdle }) => [status, isIdle])).toEqual(changes.map(() => ['online', true]))
})

test('a load balancer that sends each request to another node gets WebSockets', async () => {
  const { socket, untilReady } = open((await startRoundRobin(nodes)).address)
  await untilReady()
  await expect.poll(() => transportOf(socket)).toBe('websocket')
})

test('after failed attempts, a network without WebSockets still polls', async () => {
  const { address } = await startRoundRobin(nodes.slice(0, 1), { blocksWebSockets: true })
  const { socket, untilReady } = open(address, true)
  await untilReady()
  expect(transportOf(socket)).toBe('polling')
})
