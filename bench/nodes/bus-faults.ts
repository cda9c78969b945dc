import { fileURLToPath } from 'node:url'
import { endAll } from '../../server/test/support/cleanup.ts'
import { startFaultProxy } from '../../server/test/support/fault-proxy.ts'
import { now } from '../live/clock.ts'
import { deliveryTimes, lastDeliveryTimes } from '../live/fan-out.ts'
import { sendAtRate } from '../live/paced-sends.ts'
import { median } from '../report/measure.ts'
import { type DeliveryPace, databaseCpu, sendingTo } from './delivery.ts'
import { gatherInGeneral, type TwoNodes, untilPeers } from './two-nodes.ts'

export interface BusFaultPace extends DeliveryPace {
  /** How long the bus is frozen, and how many events per second are sent to it. */
  frozenSeconds: number
  frozenSendsPerSecond: number
}

export interface BusFaultRow {
  /** CPU of PostgreSQL with the bus, compared with no bus. */
  databaseCpuRatio: number
  /** Milliseconds on the same node, before the bus was cut and after. */
  sameBefore: number
  sameAway: number
  /** On the other node, without the bus. */
  otherAwayP50: number
  otherAwayP95: number
  otherAwayP99: number
  otherAwayMax: number
  /** Bytes by which a node's heap and buffers grew while its bus was frozen. */
  frozenBytes: number
}

const PROGRAM = fileURLToPath(new URL('node.ts', import.meta.url))
const NO_BUS = 'postgres://127.0.0.1:9/none'

/** Measures with the PostgreSQL bus off, cut and frozen. */
export async function measureBusFaults(nodes: TwoNodes, pace: BusFaultPace): Promise<BusFaultRow> {
  const databaseUrl = nodes.env['DATABASE_URL'] as string
  const restartWith = (url: string) => nodes.replace([{ BUS_URL: url }, { BUS_URL: url }], PROGRAM)
  const cpuRatios: number[] = []
  for (let round = 0; round < pace.rounds; round++) {
    await restartWith(databaseUrl)
    await untilPeers(nodes.nodes)
    const withBus = await databaseCpu(nodes, pace)
    await restartWith(NO_BUS)
    cpuRatios.push(withBus / (await databaseCpu(nodes, pace)))
  }
  const proxy = await startFaultProxy(databaseUrl)
  try {
    const through = new URL(databaseUrl)
    through.host = new URL(proxy.address).host
    await restartWith(through.href)
    await untilPeers(nodes.nodes)
    const before = await delivered(nodes, pace)
    proxy.cut()
    const away = await delivered(nodes, pace)
    proxy.restore()
    await untilPeers(nodes.nodes)
    return {
      databaseCpuRatio: median(cpuRatios),
      sameBefore: at(before.same, 0.5),
      sameAway: at(away.same, 0.5),
      otherAwayP50: at(away.other, 0.5),
      otherAwayP95: at(away.other, 0.95),
      otherAwayP99: at(away.other, 0.99),
      otherAwayMax: at(away.other, 1),
      frozenBytes: await growthWhileFrozen(nodes, proxy, pace),
    }
  } finally {
    await endAll()
  }
}

const at = (sorted: number[], part: number) => sorted[Math.floor((sorted.length - 1) * part)] as number

/** Milliseconds until the last socket of each node had a message, sorted. Sockets fetch messages that they missed. */
async function delivered(nodes: TwoNodes, { sockets, sendsPerSecond, seconds }: DeliveryPace) {
  const [a, b] = nodes.nodes
  const swarms = [
    await gatherInGeneral(nodes, a, sockets, true),
    await gatherInGeneral(nodes, b, sockets, true),
  ] as const
  try {
    const sent = await sendAtRate({ ...sendingTo(nodes, a), run: `bus-${now().toFixed(0)}` }, sendsPerSecond, seconds)
    const [same, other] = await Promise.all(
      swarms.map(async (swarm) => lastDeliveryTimes(sent, await deliveryTimes(swarm, sent.length, sockets))),
    )
    return { same: same as number[], other: other as number[] }
  } finally {
    await Promise.all(swarms.map((swarm) => swarm.stop()))
  }
}

async function growthWhileFrozen(
  nodes: TwoNodes,
  proxy: Awaited<ReturnType<typeof startFaultProxy>>,
  { frozenSeconds, frozenSendsPerSecond }: BusFaultPace,
) {
  const [a] = nodes.nodes
  const held = async () => {
    const { heapUsed, external } = await a.memory()
    return heapUsed + external
  }
  const sending = sendingTo(nodes, a)
  // Warm up: filled caches don't count as growth.
  await sendAtRate({ ...sending, run: `${sending.run}-warm` }, frozenSendsPerSecond, Math.min(5, frozenSeconds))
  const before = await held()
  proxy.freeze()
  await sendAtRate({ ...sending, run: `${sending.run}-frozen` }, frozenSendsPerSecond, frozenSeconds)
  const after = await held()
  proxy.restore()
  return after - before
}
