import { setTimeout as sleep } from 'node:timers/promises'
import type { Template } from './bare-socket-io.ts'
import { cpuOf, cpuOfFamily, waitUntilIdle } from './cpu-usage.ts'
import { assignSockets, type PopulatedServer } from './populated-server.ts'
import { type ServerProcess, startBare, startSwarm } from './start-servers.ts'

export interface IdleRow {
  sockets: number
  parley: Idle
  socketIo: Idle
  /** Bytes per socket of Parley compared with a bare one: of the process, and of the heap and buffers alone. */
  residentRatio: number
  heapRatio: number
}

interface Idle {
  /** Growth per socket in bytes after a collection: of the process, and of the heap and buffers. */
  residentPerSocket: number
  heapPerSocket: number
  /** Percent of a core while no messages are sent. */
  percent: number
  databasePercent: number
  /** Seconds until all were connected, and until the server was idle again. */
  gatheringSeconds: number
  settlingSeconds: number
}

/** Idle sockets, each in five channels, compared with a bare Socket.IO with the same handshake and rooms. */
export async function measureIdle(
  populatedServer: PopulatedServer,
  sockets: number,
  seconds: number,
): Promise<IdleRow> {
  const people = assignSockets(populatedServer, sockets)
  const rooms = Object.fromEntries(people.map(({ token, channelIds }) => [token, channelIds]))
  const template: Template = {
    message: { channelId: '', userId: '', content: '', seq: 0, rev: 0, clientId: null },
    rooms,
  }
  const bare = await startBare('socket.io', template)
  try {
    const socketIo = await hold(bare)
    const parley = await hold(populatedServer.parley)
    return {
      sockets,
      parley,
      socketIo,
      residentRatio: parley.residentPerSocket / socketIo.residentPerSocket,
      heapRatio: parley.heapPerSocket / socketIo.heapPerSocket,
    }
  } finally {
    await bare.stop()
  }

  async function hold(server: ServerProcess): Promise<Idle> {
    const swarm = startSwarm()
    const gather = (some: typeof people) =>
      swarm.gather({
        ports: [server.port],
        tokens: some.map(({ token }) => token),
        revs: {},
        inside: some.map(() => []),
        reconnects: false,
      })
    try {
      // Excludes compiled code and caches that the first sockets create.
      await gather(people.slice(0, 50))
      await swarm.leave()
      await waitUntilIdle(server.pid, 60)
      const before = await server.memory()
      const gathered = await gather(people)
      const settlingSeconds = await waitUntilIdle(server.pid, 200, 10)
      const cpu = async () => [await cpuOf(server.pid), await cpuOfFamily(populatedServer.postmaster)] as const
      const [serverBefore, databaseBefore] = await cpu()
      const startedAt = performance.now()
      await sleep(seconds * 1000)
      const hundredths = (performance.now() - startedAt) / 1e5
      const [serverAfter, databaseAfter] = await cpu()
      const after = await server.memory()
      const { faults } = await swarm.until(0, 0)
      if (faults.length > 0) throw new Error(faults.join('; '))
      const heap = (it: NodeJS.MemoryUsage) => it.heapUsed + it.external
      return {
        residentPerSocket: (after.rss - before.rss) / sockets,
        heapPerSocket: (heap(after) - heap(before)) / sockets,
        percent: (serverAfter - serverBefore) / hundredths,
        databasePercent: (databaseAfter - databaseBefore) / hundredths,
        gatheringSeconds: gathered.seconds,
        settlingSeconds,
      }
    } finally {
      await swarm.stop()
    }
  }
}
