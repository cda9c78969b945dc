import { now } from './clock.ts'
import { cpuOf, cpuOfFamily, settle } from './cpu-usage.ts'
import { type Sent, sendAtOnce, sendAtRate } from './paced-sends.ts'
import { type House, seats } from './populated-server.ts'
import { type Crowd, type Served, startBare, startCrowd } from './start-servers.ts'

export interface FanOutPace {
  rounds: number
  /** Of a half: at a rate, and as fast as it goes. */
  seconds: number
  /** Deliveries a second of the half at a rate. */
  deliveriesPerSecond: number
}

/** One server in one round. Times in milliseconds, from the time a send was due until the last socket has it. */
export interface Delivery {
  p50: number
  p95: number
  p99: number
  max: number
  /** Deliveries a second, with as many sends as it takes. */
  deliveriesPerSecond: number
  /** Processor time of the server, and of the database, for 1,000 deliveries as fast as it goes. */
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
  /** Medians of the ratios within the rounds. */
  deliveriesRatio: number
  deliveriesRatioToWs: number
  p50Ratio: number
  p50RatioToWs: number
  /** All of them, to every socket, each once: else there is no row. */
  deliveries: number
}

/** Sends under way at once, as fast as it goes. */
const UNDER_WAY = 32
const PATIENCE = 60_000

/**
 * Everybody in one channel: how long until the last has a message, and how many deliveries there are in a second,
 * beside a bare Socket.IO and a bare `ws` that get the same requests and tell the same bytes.
 * @throws Error if a socket got a message twice, out of turn, or not at all
 */
export async function measureFanOut(house: House, sockets: number, pace: FanOutPace): Promise<FanOutRow> {
  const closing: (() => Promise<unknown>)[] = []
  try {
    const template = { message: await realMessage(house), rooms: {} as Record<string, string[]> }
    const people = seats(house, sockets)
    for (const { token } of people) template.rooms[token] = [house.general]
    const gathered = async (server: Served) => {
      const crowd = startCrowd()
      closing.push(() => crowd.stop())
      await crowd.gather({
        port: server.port,
        tokens: people.map(({ token }) => token),
        revs: { [house.general]: template.message.rev },
        inside: people.map(() => [0]),
        comesBack: false,
      })
      return { server, crowd }
    }
    const bare = async (kind: 'socket.io' | 'ws') => {
      const server = await startBare(kind, template)
      closing.push(() => server.stop())
      return gathered(server)
    }
    const [parley, socketIo, ws] = [await gathered(house.parley), await bare('socket.io'), await bare('ws')]
    await settle(house.parley.pid, 200)
    const sendsPerSecond = Math.max(1, Math.round(pace.deliveriesPerSecond / sockets))
    const turn = (it: Standing, name: string) =>
      take(house, it, { sockets, sendsPerSecond, seconds: pace.seconds, name })
    // A young server is compiled while it runs.
    for (const it of [socketIo, ws, parley]) await turn(it, 'warm')
    const rounds: Record<'parley' | 'socketIo' | 'ws', Taken>[] = []
    for (let n = 0; n < pace.rounds; n++)
      rounds.push({
        socketIo: await turn(socketIo, `s${n}`),
        parley: await turn(parley, `p${n}`),
        ws: await turn(ws, `w${n}`),
      })
    const ratio = (of: (told: Taken) => number, to: 'socketIo' | 'ws') =>
      median(rounds.map((round) => of(round.parley) / of(round[to])))
    return {
      sockets,
      sendsPerSecond,
      parley: middle(rounds.map((round) => round.parley)),
      socketIo: middle(rounds.map((round) => round.socketIo)),
      ws: middle(rounds.map((round) => round.ws)),
      deliveriesRatio: ratio((told) => told.deliveriesPerSecond, 'socketIo'),
      deliveriesRatioToWs: ratio((told) => told.deliveriesPerSecond, 'ws'),
      p50Ratio: ratio((told) => told.p50, 'socketIo'),
      p50RatioToWs: ratio((told) => told.p50, 'ws'),
      deliveries: rounds.reduce((sum, { parley: { messages } }) => sum + messages * sockets, 0),
    }
  } finally {
    for (let last = closing.pop(); last; last = closing.pop()) await last()
  }
}

interface Standing {
  server: Served
  crowd: Crowd
}
type Taken = Delivery & { messages: number }

async function take(
  house: House,
  { server, crowd }: Standing,
  {
    sockets,
    sendsPerSecond,
    seconds,
    name,
  }: { sockets: number; sendsPerSecond: number; seconds: number; name: string },
): Promise<Taken> {
  const senders = house.people
    .slice(0, Math.min(sockets, 100))
    .map(({ token }) => ({ token, channelId: house.general }))
  const sending = { port: server.port, senders, run: `${sockets}-${name}-${now().toFixed(0)}` }
  const paced = await sendAtRate({ ...sending, run: `${sending.run}-rate` }, sendsPerSecond, seconds)
  const times = lastTimes(paced, await heardBy(crowd, paced.length, sockets))

  const cpu = async () => ({ server: await cpuOf(server.pid), database: await cpuOfFamily(house.postmaster) })
  const before = await cpu()
  const startedAt = now()
  const fast = await sendAtOnce({ ...sending, run: `${sending.run}-fast` }, UNDER_WAY, seconds)
  const heard = await heardBy(crowd, fast.length, sockets)
  const elapsed = (Math.max(...heard.values()) - startedAt) / 1000
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

/** When the last socket got each message, by its key. */
async function heardBy(crowd: Crowd, messages: number, sockets: number): Promise<Map<string, number>> {
  const account = await crowd.until(messages, PATIENCE)
  const wrong = account.messages.filter(({ count }) => count !== sockets)
  if (account.faults.length > 0 || wrong.length > 0 || account.messages.length !== messages)
    throw new Error(
      `${messages} messages were acknowledged, ${account.messages.length} heard, ${wrong.length} not by all: ${account.faults.join('; ')}`,
    )
  return new Map(account.messages.map(({ key, lastAt }) => [key, lastAt]))
}

/** Milliseconds from due to heard by all, sorted. */
function lastTimes(sent: Sent[], heard: Map<string, number>): number[] {
  const times = sent.map(({ key, dueAt }) => {
    const lastAt = heard.get(key)
    if (lastAt === undefined) throw new Error(`${key} was acknowledged and not heard`)
    return lastAt - dueAt
  })
  return times.sort((a, b) => a - b)
}

/** One that was sent and told, for the bare servers to tell its like. */
async function realMessage({ parley, people, general }: House) {
  const [sender] = people
  const answer = await fetch(`http://127.0.0.1:${parley.port}/api/messages`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sender?.token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ channelId: general, content: 'A template', clientId: `template-${now()}` }),
  })
  return (await answer.json()) as { channelId: string; content: string; seq: number; rev: number; clientId: string }
}

function middle(all: Delivery[]): Delivery {
  const of = (key: keyof Delivery) => median(all.map((told) => told[key]))
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
