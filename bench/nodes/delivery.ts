import { now } from '../live/clock.ts'
import { cpuOf, cpuOfFamily } from '../live/cpu-usage.ts'
import { deliveryTimes, lastDeliveryTimes } from '../live/fan-out.ts'
import { sendAtRate } from '../live/paced-sends.ts'
import type { ServerProcess, Swarm } from '../live/start-servers.ts'
import { median } from '../report/measure.ts'
import { gatherInGeneral, type TwoNodes, untilPeers } from './two-nodes.ts'

export interface DeliveryPace {
  /** Sockets per node. */
  sockets: number
  sendsPerSecond: number
  rounds: number
  /** Seconds of sending in each part of a round, and before it as warm-up, because a new node compiles its code. */
  seconds: number
}

/** Milliseconds from when a send was due until the last socket of a node had it. */
interface Latency {
  p50: number
  p99: number
}

/** Medians over the rounds; ratios and differences are computed within a round. */
export interface DeliveryRow {
  same: Latency
  other: Latency
  addedP50: number
  addedP99: number
  /** The same node with a peer, compared with the node alone. */
  alone: Latency
  withPeerRatio: number
  /** CPU seconds per 1,000 deliveries: of two nodes, and of one alone with as many sockets. */
  cpuOfTwo: number
  cpuOfOne: number
  cpuRatio: number
}

/**
 * Sends to one node while sockets listen on it, on the other one, on both, and on it alone.
 * @throws Error if a socket received a message twice, out of order, or not at all
 */
export async function measureDelivery(nodes: TwoNodes, pace: DeliveryPace): Promise<DeliveryRow> {
  const rounds: { same: Latency; other: Latency; alone: Latency; cpuOfTwo: number; cpuOfOne: number }[] = []
  // The first round warms up.
  for (let n = -1; n < pace.rounds; n++) {
    const round = { ...(await withPeer(nodes, pace)), ...(await alone(nodes, pace)) }
    if (n >= 0) rounds.push(round)
  }
  const of = (value: (round: (typeof rounds)[number]) => number) => median(rounds.map(value))
  const latency = (which: 'same' | 'other' | 'alone') => ({
    p50: of((round) => round[which].p50),
    p99: of((round) => round[which].p99),
  })
  return {
    same: latency('same'),
    other: latency('other'),
    alone: latency('alone'),
    addedP50: of(({ same, other }) => other.p50 - same.p50),
    addedP99: of(({ same, other }) => other.p99 - same.p99),
    withPeerRatio: of((round) => round.same.p50 / round.alone.p50),
    cpuOfTwo: of(({ cpuOfTwo }) => cpuOfTwo),
    cpuOfOne: of(({ cpuOfOne }) => cpuOfOne),
    cpuRatio: of(({ cpuOfTwo, cpuOfOne }) => cpuOfTwo / cpuOfOne),
  }
}

/** Latencies are measured with sockets on one node only: with few cores, two swarms would slow each other down. */
async function withPeer(nodes: TwoNodes, pace: DeliveryPace) {
  const [a, b] = nodes.nodes
  const here = await gatherInGeneral(nodes, a, pace.sockets)
  const { latency: same } = await sendTo(nodes, [here], nodes.nodes, pace)
  const there = await gatherInGeneral(nodes, b, pace.sockets)
  const { cpu } = await sendTo(nodes, [here, there], nodes.nodes, pace)
  await here.stop()
  const { latency: other } = await sendTo(nodes, [there], nodes.nodes, pace)
  await there.stop()
  return { same, other, cpuOfTwo: cpu }
}

async function alone(nodes: TwoNodes, pace: DeliveryPace) {
  const [a, b] = nodes.nodes
  await b.kill()
  await untilPeers([a])
  const half = await gatherInGeneral(nodes, a, pace.sockets)
  const { latency } = await sendTo(nodes, [half], [a], pace)
  const rest = await gatherInGeneral(nodes, a, pace.sockets)
  const { cpu } = await sendTo(nodes, [half, rest], [a], pace)
  await Promise.all([half.stop(), rest.stop()])
  await nodes.start(1)
  return { alone: latency, cpuOfOne: cpu }
}

/** Sends to the first node. `latency` is of the first swarm, `cpu` of `servers` per 1,000 deliveries. */
async function sendTo(
  nodes: TwoNodes,
  swarms: Swarm[],
  servers: ServerProcess[],
  { sockets, sendsPerSecond, seconds }: DeliveryPace,
) {
  const send = async () => {
    const sent = await sendAtRate(sendingTo(nodes, nodes.nodes[0]), sendsPerSecond, seconds)
    return { sent, times: await Promise.all(swarms.map((it) => deliveryTimes(it, sent.length, sockets))) }
  }
  await send()
  const cpuOfServers = async () =>
    (await Promise.all(servers.map(({ pid }) => cpuOf(pid)))).reduce((sum, it) => sum + it)
  const before = await cpuOfServers()
  const { sent, times } = await send()
  const used = (await cpuOfServers()) - before
  return {
    latency: latencyOf(lastDeliveryTimes(sent, times[0] as (typeof times)[number])),
    cpu: (used * 1000) / (sent.length * sockets * swarms.length),
  }
}

/** @param sorted milliseconds */
const latencyOf = (sorted: number[]): Latency => {
  const at = (part: number) => sorted[Math.floor((sorted.length - 1) * part)] as number
  return { p50: at(0.5), p99: at(0.99) }
}

/** Sends to `general`. */
export const sendingTo = ({ people, general }: TwoNodes, { port }: ServerProcess) => ({
  ports: () => [port],
  senders: people.slice(0, 100).map(({ token }) => ({ token, channelId: general })),
  run: `nodes-${now().toFixed(0)}`,
})

/** CPU seconds of PostgreSQL while a load runs on the nodes. */
export async function databaseCpu(nodes: TwoNodes, { sendsPerSecond, seconds }: DeliveryPace): Promise<number> {
  const send = () => sendAtRate(sendingTo(nodes, nodes.nodes[0]), sendsPerSecond, seconds)
  await send()
  const before = await cpuOfFamily(nodes.postmaster)
  await send()
  return (await cpuOfFamily(nodes.postmaster)) - before
}
