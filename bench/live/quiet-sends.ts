import { cpuOf, cpuOfFamily, waitUntilIdle } from './cpu-usage.ts'
import { deliveryTimes, lastDeliveryTimes, sampleMessage } from './fan-out.ts'
import { sendAtRate } from './paced-sends.ts'
import { assignSockets, type PopulatedServer } from './populated-server.ts'
import { startSwarm } from './start-servers.ts'

export interface QuietSendsRow {
  sockets: number
  sendsPerSecond: number
  /** Milliseconds from when a send was due until the last socket received it. */
  p50: number
  p95: number
  p99: number
  max: number
  /** CPU seconds of the server and of the database per 1,000 sends with all their deliveries. */
  serverCpuPer1000: number
  databaseCpuPer1000: number
}

/** Occasional sends, which share neither transactions nor packets with others. */
export async function measureQuietSends(
  populatedServer: PopulatedServer,
  sockets: number,
  sendsPerSecond: number,
  seconds: number,
): Promise<QuietSendsRow> {
  const { parley, general, postmaster } = populatedServer
  const people = assignSockets(populatedServer, sockets)
  const { rev } = await sampleMessage(populatedServer)
  const swarm = startSwarm()
  try {
    await swarm.gather({
      ports: [parley.port],
      tokens: people.map(({ token }) => token),
      revs: { [general]: rev },
      inside: people.map(() => [0]),
      reconnects: false,
    })
    await waitUntilIdle(parley.pid, 200)
    const senders = people.map(({ token }) => ({ token, channelId: general }))
    const cpu = async () => ({ server: await cpuOf(parley.pid), database: await cpuOfFamily(postmaster) })
    const before = await cpu()
    const sent = await sendAtRate(
      { ports: () => [parley.port], senders, run: `quiet-${performance.now()}` },
      sendsPerSecond,
      seconds,
    )
    const times = lastDeliveryTimes(sent, await deliveryTimes(swarm, sent.length, sockets))
    const after = await cpu()
    const at = (part: number) => times[Math.floor((times.length - 1) * part)] as number
    return {
      sockets,
      sendsPerSecond,
      p50: at(0.5),
      p95: at(0.95),
      p99: at(0.99),
      max: at(1),
      serverCpuPer1000: ((after.server - before.server) * 1000) / sent.length,
      databaseCpuPer1000: ((after.database - before.database) * 1000) / sent.length,
    }
  } finally {
    await swarm.stop()
  }
}
