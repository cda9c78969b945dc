import { setTimeout as sleep } from 'node:timers/promises'
import { io } from 'socket.io-client'
import { now } from '../live/clock.ts'
import { cpuOf } from '../live/cpu-usage.ts'
import { createHttpPool } from '../live/http-pool.ts'
import type { ConnectedUser } from '../live/populate.ts'
import type { ServerProcess } from '../live/start-servers.ts'
import { metricOf, type TwoNodes, untilPeers } from './two-nodes.ts'

export interface PeopleRow {
  /** Milliseconds from the response to a removal until the removed socket on the other node had left, sorted. */
  removals: number[]
  /** Seconds from the kill of a node until its users were shown as offline on the other one. */
  offlineSeconds: number
  /** Bytes that a node without peers sent to the bus, and its CPU in percent of a core. */
  aloneBytes: number
  alonePercent: number
}

/** Removals, presence, and a node that remains alone. */
export async function measurePeople(nodes: TwoNodes, removals: number, idleSeconds: number): Promise<PeopleRow> {
  const [a, b] = nodes.nodes
  const [ada, bob] = nodes.people as [ConnectedUser, ConnectedUser]
  const bobSocket = await connected(b, bob)
  const times: number[] = []
  for (let n = 0; n < removals; n++) times.push(await removalTime(a, ada, bob, bobSocket))

  const adaSocket = await connected(a, ada)
  const offline = new Promise<void>((resolve) => {
    adaSocket.on('user:status_changed', ({ userId, status }) => {
      if (userId === bob.id && status === 'offline') resolve()
    })
  })
  const killedAt = now()
  await b.kill()
  bobSocket.disconnect()
  await offline
  const offlineSeconds = (now() - killedAt) / 1000
  adaSocket.disconnect()

  await untilPeers([a])
  const bytes = () => metricOf(a.port, 'parley_bus_bytes_total')
  const [bytesBefore, cpuBefore] = [await bytes(), await cpuOf(a.pid)]
  await sleep(idleSeconds * 1000)
  const [cpuAfter, bytesAfter] = [await cpuOf(a.pid), await bytes()]
  await nodes.start(1)
  return {
    removals: times.sort((x, y) => x - y),
    offlineSeconds,
    aloneBytes: bytesAfter - bytesBefore,
    alonePercent: ((cpuAfter - cpuBefore) / idleSeconds) * 100,
  }
}

async function connected({ port }: ServerProcess, { token }: ConnectedUser) {
  const socket = io(`http://127.0.0.1:${port}`, { auth: { token }, transports: ['websocket'], reconnection: false })
  await new Promise<void>((resolve, reject) => {
    socket.once('ready', () => resolve())
    socket.once('connect_error', reject)
  })
  return socket
}

async function removalTime(
  { port }: ServerProcess,
  owner: ConnectedUser,
  removed: ConnectedUser,
  socket: ReturnType<typeof io>,
) {
  const httpPool = createHttpPool(() => [port], 1)
  const call = async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${owner.token}` }
    const { status, text } = await httpPool.send({ method: 'POST', path, headers, body: JSON.stringify(body) })
    if (status >= 300) throw new Error(`${path}: ${status} ${text}`)
    return text === '' ? undefined : JSON.parse(text)
  }
  try {
    const name = `removal-${now().toFixed(0)}`
    const { id } = await call('/api/channels', { name, isPrivate: true, members: [removed.id] })
    const left = new Promise<number>((resolve) => {
      socket.on('channel:left', function onLeft({ channelId }) {
        if (channelId !== id) return
        socket.off('channel:left', onLeft)
        resolve(now())
      })
    })
    await call(`/api/channels/${id}/remove-member`, { userId: removed.id })
    const answeredAt = now()
    // The event may arrive before the response.
    return Math.max(0, (await left) - answeredAt)
  } finally {
    httpPool.close()
  }
}
