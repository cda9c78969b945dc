import { io as connect, type Socket } from 'socket.io-client'
import { expect, test } from 'vitest'
import { bounds } from '../../limits/bounds.ts'
import { atEnd } from '../support/cleanup.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { SECRET, startParley } from '../support/parley.ts'
import { audit, noFaults, startSenders, untilSent } from '../support/send-load.ts'
import { openServerProcess, signUpClient } from '../support/server-process.ts'

// One of two nodes dies, and all its clients come to the other one at once. LONG=1 makes it 5,000 sockets.

const SOCKETS = process.env['LONG'] === '1' ? 5000 : 300
/** Far fewer than the sockets, of which twelve at a time are joined to their channels. */
const MAX_WAITING_QUERIES = 100

test(`${SOCKETS} sockets of a node that dies come to the other one, which goes on meanwhile`, async () => {
  const survivor = await startParley()
  const { app, address, databaseUrl } = survivor
  const dying = await openServerProcess({ DATABASE_URL: databaseUrl, SECRET })
  await dying.start()
  await expect.poll(() => app.bus.peers().length).toBe(1)
  const balancer = await startFaultProxy(dying.address)

  const ada = await signUpClient(address, 'ada')
  const [{ id: general }] = (await ada.call('GET', '/api/channels')).body.channels
  const tokens: string[] = []
  for (let n = 0; n < SOCKETS / bounds.socketsPerUser; n++) tokens.push((await survivor.person(`person${n}`)).token)
  const sockets: Socket[] = []
  const counts = { ready: 0, heard: 0 }
  for (let n = 0; n < SOCKETS; n++) {
    const token = tokens[n % tokens.length]
    const socket = connect(balancer.address, { auth: { token }, transports: ['websocket'], forceNew: true })
    sockets.push(socket)
    socket.on('ready', () => counts.ready++)
    socket.on('message:created', ({ content }) => {
      if (content === 'everybody is back') counts.heard++
    })
    // They come one hundred at a time, but go all at once.
    if (n % 100 === 99) await expect.poll(() => counts.ready).toBe(n + 1)
  }
  atEnd(() => {
    for (const socket of sockets) socket.close()
  })
  await expect.poll(() => counts.ready).toBe(SOCKETS)
  expect(app.io.of('/').sockets.size).toBe(0)

  let [connections, waiting] = [0, 0]
  const sampling = setInterval(() => {
    connections = Math.max(connections, app.pool.totalCount)
    waiting = Math.max(waiting, app.pool.waitingCount)
  }, 1)
  atEnd(() => clearInterval(sampling))
  const senders = startSenders([ada], [general], 50)
  balancer.moveTo(address)
  await dying.kill('SIGKILL')
  await untilSent(senders)
  await expect.poll(() => app.io.of('/').sockets.size, { interval: 50 }).toBe(SOCKETS)
  await expect.poll(() => counts.ready, { interval: 50 }).toBe(2 * SOCKETS)
  await untilSent(senders)
  await senders.stop()
  expect(await audit(databaseUrl, senders.record)).toEqual(noFaults)
  expect(connections).toBeLessThanOrEqual(app.config.databaseConnections.main)
  expect(waiting).toBeLessThan(MAX_WAITING_QUERIES)

  await ada.call('POST', '/api/messages', { channelId: general, content: 'everybody is back' })
  await expect.poll(() => counts.heard).toBe(SOCKETS)
})
