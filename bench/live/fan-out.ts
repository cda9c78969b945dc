import type { Template } from './bare-socket-io.ts'
import { now } from './clock.ts'
import { cpuOf, cpuOfFamily, waitUntilIdle } from './cpu-usage.ts'
import { type SentMessage, sendAtOnce, sendAtRate } from './paced-sends.ts'
import { assignSockets, type PopulatedServer } from './populated-server.ts'
import { type ServerProcess, type Swarm, startBare, startSwarm } from './start-servers.ts'

export interface FanOutPace {
  rounds: number
  /** Seconds of each half: at a fixed rate, and at the highest possible one. */
  seconds: number
  /** Deliveries per second of the half with a fixed rate. */
  deliveriesPerSecond: number
}

/** One server in one round. Times in milliseconds, from when a send was due until the last socket received it. */
interface Delivery {
  p50: number
  p95: number
  p99: number
  max: number
  /** Deliveries per second at the highest possible rate. */
  deliveriesPerSecond: number
  /** CPU seconds of the server and of the database per 1,000 deliveries at the highest possible rate. */
  serverCpuPer1000: number
  databaseCpuPer1000: number
}

export interface FanOutRow {
  sockets: number
  sendsPerSecond: number
  /** Medians over the rounds. */
  parley: Delivery
  socketIo: Delivery
  ws: Delivery
  /** Bare Socket.IO that commits the row of each message before publishing it. */
  durable: Delivery
  /** Medians of the ratios within the rounds. */
  deliveriesRatio: number
  deliveriesRatioToWs: number
  p50Ratio: number
  p50RatioToWs: number
  p50RatioToDurable: number
  /** Every message reached every socket once; otherwise the measurement fails. */
  deliveries: number
}

/** Concurrent sends at the highest possible rate. */
const CONCURRENT_SENDS = 32
const DELIVERY_TIMEOUT_MS = 60_000

/**
 * Everybody in one channel: the time until the last socket has a message, and deliveries per second, compared with a bare
 * Socket.IO and a bare `ws` that get the same requests and send the same bytes, and with a Socket.IO that also stores them.
 * @throws Error if a socket received a message twice, out of order, or not at all
 */
export async function measureFanOut(
  populatedServer: PopulatedServer,
  sockets: number,
  pace: FanOutPace,
): Promise<FanOutRow> {
  const closing: (() => Promise<unknown>)[] = []
  try {
    const template = { message: await sampleMessage(populatedServer), rooms: {} as Record<string, string[]> }
    const people = assignSockets(populatedServer, sockets)
    for (const { token } of people) template.rooms[token] = [populatedServer.general]
    const gathered = async (server: ServerProcess) => {
      const swarm = startSwarm()
      closing.push(() => swarm.stop())
      await swarm.gather({
        ports: [server.port],
        tokens: people.map(({ token }) => token),
        revs: { [populatedServer.general]: template.message.rev },
        inside: people.map(() => [0]),
        reconnects: false,
      })
      return { server, swarm }
    }
    const bare = async (kind: 'socket.io' | 'ws', databaseUrl?: string) => {
      const server = await startBare(kind, { ...template, ...(databaseUrl && { databaseUrl }) })
      closing.push(() => server.stop())
      return gathered(server)
    }
    const parley = await gathered(populatedServer.parley)
    const socketIo = await bare('socket.io')
    const ws = await bare('ws')
    const { DATABASE_URL } = populatedServer.env
    await populatedServer.database.pool.query('drop table if exists bare_messages')
    const durable = await bare('socket.io', DATABASE_URL)
    await waitUntilIdle(populatedServer.parley.pid, 200)
    const sendsPerSecond = Math.max(1, Math.round(pace.deliveriesPerSecond / sockets))
    const turn = (it: SwarmProgress, name: string) =>
      measureRound(populatedServer, it, { sockets, sendsPerSecond, seconds: pace.seconds, name })
    // Warms up: a new server's code is still being compiled.
    for (const it of [socketIo, ws, durable, parley]) await turn(it, 'warm')
    const rounds: Record<'parley' | 'socketIo' | 'ws' | 'durable', RoundResult>[] = []
    for (let n = 0; n < pace.rounds; n++)
      rounds.push({
        socketIo: await turn(socketIo, `s${n}`),
        parley: await turn(parley, `p${n}`),
        durable: await turn(durable, `d${n}`),
        ws: await turn(ws, `w${n}`),
      })
    const ratio = (of: (round: RoundResult) => number, to: 'socketIo' | 'ws' | 'durable') =>
      median(rounds.map((round) => of(round.parley) / of(round[to])))
    return {
      sockets,
      sendsPerSecond,
      parley: medianDelivery(rounds.map((round) => round.parley)),
      socketIo: medianDelivery(rounds.map((round) => round.socketIo)),
      ws: medianDelivery(rounds.map((round) => round.ws)),
      durable: medianDelivery(rounds.map((round) => round.durable)),
      deliveriesRatio: ratio((round) => round.deliveriesPerSecond, 'socketIo'),
      deliveriesRatioToWs: ratio((round) => round.deliveriesPerSecond, 'ws'),
      p50Ratio: ratio((round) => round.p50, 'socketIo'),
      p50RatioToWs: ratio((round) => round.p50, 'ws'),
      p50RatioToDurable: ratio((round) => round.p50, 'durable'),
      deliveries: rounds.reduce((sum, { parley: { messages } }) => sum + messages * sockets, 0),
    }
  } finally {
    for (let last = closing.pop(); last; last = closing.pop()) await last()
  }
}

interface SwarmProgress {
  server: ServerProcess
  swarm: Swarm
}
type RoundResult = Delivery & { messages: number }

async function measureRound(
  populatedServer: PopulatedServer,
  { server, swarm }: SwarmProgress,
  {
    sockets,
    sendsPerSecond,
    seconds,
    name,
  }: { sockets: number; sendsPerSecond: number; seconds: number; name: string },
): Promise<RoundResult> {
  const senders = populatedServer.people
    .slice(0, Math.min(sockets, 100))
    .map(({ token }) => ({ token, channelId: populatedServer.general }))
  const sending = { ports: () => [server.port], senders, run: `${sockets}-${name}-${now().toFixed(0)}` }
  const paced = await sendAtRate({ ...sending, run: `${sending.run}-rate` }, sendsPerSecond, seconds)
  const times = lastDeliveryTimes(paced, await deliveryTimes(swarm, paced.length, sockets))

  const cpu = async () => ({ server: await cpuOf(server.pid), database: await cpuOfFamily(populatedServer.postmaster) })
  const before = await cpu()
  const startedAt = now()
  const fast = await sendAtOnce({ ...sending, run: `${sending.run}-fast` }, CONCURRENT_SENDS, seconds)
  const lastTimes = await deliveryTimes(swarm, fast.length, sockets)
  const elapsed = (Math.max(...lastTimes.values()) - startedAt) / 1000
  const after = await cpu()
  const deliveries = fast.length * sockets
  const at = (part: number) => times[Math.floor((times.length - 1) * part)] as number
  return {
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    max: at(1),
    deliveriesPerSecond: deliveries / elapsed,
    serverCpuPer1000: ((after.server - before.server) * 1000) / deliveries,
    databaseCpuPer1000: ((after.database - before.database) * 1000) / deliveries,
    messages: paced.length + fast.length,
  }
}

/** When the last socket received each message, by key. */
export async function deliveryTimes(swarm: Swarm, messages: number, sockets: number): Promise<Map<string, number>> {
  const account = await swarm.until(messages, DELIVERY_TIMEOUT_MS)
  const wrong = account.messages.filter(({ count }) => count !== sockets)
  if (account.faults.length > 0 || wrong.length > 0 || account.messages.length !== messages)
    throw new Error(
      `${messages} messages were acknowledged, ${account.messages.length} received, ${wrong.length} not by all: ${account.faults.join('; ')}`,
    )
  return new Map(account.messages.map(({ key, lastAt }) => [key, lastAt]))
}

/** Milliseconds from when each send was due until all sockets had it, sorted. */
export function lastDeliveryTimes(sent: SentMessage[], lastTimes: Map<string, number>): number[] {
  const times = sent.map(({ key, dueAt }) => {
    const lastAt = lastTimes.get(key)
    if (lastAt === undefined) throw new Error(`${key} was acknowledged but not received`)
    return lastAt - dueAt
  })
  return times.sort((a, b) => a - b)
}

/** Sends a message and returns its event, for the bare servers to imitate, and for its revision. */
export async function sampleMessage({ parley, people, general }: PopulatedServer) {
  const [sender] = people
  const answer = await fetch(`http://127.0.0.1:${parley.port}/api/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sender?.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ channelId: general, content: 'A template', clientId: `template-${now()}` }),
  })
  return (await answer.json()) as Template['message']
}

function medianDelivery(all: Delivery[]): Delivery {
  const of = (key: keyof Delivery) => median(all.map((delivery) => delivery[key]))
  return {
    p50: of('p50'),
    p95: of('p95'),
    p99: of('p99'),
    max: of('max'),
    deliveriesPerSecond: of('deliveriesPerSecond'),
    serverCpuPer1000: of('serverCpuPer1000'),
    databaseCpuPer1000: of('databaseCpuPer1000'),
  }
}

function median(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const [low, high] = [sorted[sorted.length % 2 === 0 ? half - 1 : half] ?? 0, sorted[half] ?? 0]
  return (low + high) / 2
}
