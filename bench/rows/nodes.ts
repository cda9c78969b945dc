import { type BusFaultPace, type BusFaultRow, measureBusFaults } from '../nodes/bus-faults.ts'
import { type DeliveryRow, measureDelivery } from '../nodes/delivery.ts'
import { measurePeople, type PeopleRow } from '../nodes/people.ts'
import { startRedis } from '../nodes/redis.ts'
import { measureKillOfOne, measureRollingRestart, type RestartPace, type RestartRow } from '../nodes/restarts.ts'
import { measureSendsOfTwo } from '../nodes/sends.ts'
import { openTwoNodes, untilPeers } from '../nodes/two-nodes.ts'
import { atLeast, atMost, type Row } from '../report/row.ts'
import type { Cleanup } from '../setup/cleanup.ts'

interface NodesPace {
  people: number
  sends: { rounds: number; seconds: number; warmUp: number }
  bus: BusFaultPace
  restart: RestartPace
  removals: number
  idleSeconds: number
}

const full: NodesPace = {
  people: 250,
  sends: { rounds: 3, seconds: 3, warmUp: 3 },
  bus: {
    ...{ sockets: 100, sendsPerSecond: 100, rounds: 3, seconds: 5 },
    ...{ frozenSeconds: 60, frozenSendsPerSecond: 1000 },
  },
  restart: { sockets: 5000, sendsPerSecond: 100, before: 5, after: 15 },
  removals: 100,
  idleSeconds: 20,
}
const quick: NodesPace = {
  people: 100,
  sends: { rounds: 1, seconds: 1, warmUp: 1 },
  bus: {
    ...{ sockets: 50, sendsPerSecond: 50, rounds: 1, seconds: 1 },
    ...{ frozenSeconds: 5, frozenSendsPerSecond: 200 },
  },
  restart: { sockets: 500, sendsPerSecond: 100, before: 2, after: 5 },
  removals: 10,
  idleSeconds: 3,
}

/** Two nodes on one database. @param flags Node flags for the servers */
export async function* nodeRows(cleanup: Cleanup, isQuick: boolean, flags: string[]): AsyncGenerator<Row> {
  const pace = isQuick ? quick : full
  const nodes = await openTwoNodes(pace.people, flags)
  // Without its servers a row fails at once, so an interrupted run leaves nothing behind.
  await cleanup.add(nodes.close)
  try {
    yield* deliveryRows('PostgreSQL', pace, await measureDelivery(nodes, pace.bus))
    yield* sendRows(await measureSendsOfTwo(nodes, cleanup, pace.sends))
    yield* peopleRows(await measurePeople(nodes, pace.removals, pace.idleSeconds))
    yield* restartRows(pace, 'one of two nodes killed', await measureKillOfOne(nodes, pace.restart))
    yield* restartRows(pace, 'both nodes restarted, one by one', await measureRollingRestart(nodes, pace.restart))
    const redisUrl = await startRedis(cleanup)
    if (redisUrl) {
      await nodes.replace([{ REDIS_URL: redisUrl }, { REDIS_URL: redisUrl }])
      await untilPeers(nodes.nodes)
      yield* deliveryRows('Redis', pace, await measureDelivery(nodes, pace.bus))
    } else console.log('\nThe rows with Redis are left out: neither redis-server nor valkey-server is installed.\n')
    yield* busRows(await measureBusFaults(nodes, pace.bus))
  } finally {
    await nodes.close()
  }
}

function* deliveryRows(bus: string, { bus: { sockets, sendsPerSecond } }: NodesPace, row: DeliveryRow): Generator<Row> {
  const [isRedis, unit] = [bus === 'Redis', 'ms']
  const ceiling = { name: 'the same node', value: row.same.p50 }
  const name = `from a send to the last of ${sockets} sockets on the other node, ${sendsPerSecond} sends/s due, ${bus}`
  yield { name, unit, value: row.other.p50, ceiling, errors: 0 }
  yield {
    name: 'of it added by the way to the other node',
    unit,
    value: row.addedP50,
    aim: atMost(isRedis ? 1 : 2, 'value'),
  }
  yield { name: 'the same, p99', unit, value: row.addedP99, aim: atMost(10, 'value') }
  yield {
    name: 'the same node, with another one',
    unit,
    value: row.same.p50,
    ceiling: { name: 'alone', value: row.alone.p50 },
    ratio: row.withPeerRatio,
    aim: atMost(1.05),
  }
  yield {
    name: `processor for 1,000 deliveries, ${sockets} sockets on each of two nodes`,
    unit: 'ms',
    value: row.cpuOfTwo * 1000,
    ceiling: { name: `one with ${2 * sockets}`, value: row.cpuOfOne * 1000 },
    ratio: row.cpuRatio,
    aim: atMost(1.25),
  }
}

function* sendRows({ two, one, ratio }: { two: number; one: number; ratio: number }): Generator<Row> {
  const name = 'durable sends, 64 senders, the same 50 channels on two nodes'
  yield { name, unit: '/s', value: two, ceiling: { name: 'one node', value: one }, ratio, errors: 0, aim: atLeast(0.8) }
}

function* peopleRows({ removals, offlineSeconds, aloneBytes, alonePercent }: PeopleRow): Generator<Row> {
  const at = (part: number) => removals[Math.floor((removals.length - 1) * part)] as number
  yield {
    name: 'from a removal’s response until the socket on the other node has left',
    unit: 'ms',
    value: at(0.99),
    times: { p50: at(0.5), p95: at(0.95), p99: at(0.99), max: at(1) },
    aim: atMost(50, 'value'),
  }
  const name = 'node killed: until its users are shown as offline on the other one'
  yield { name, unit: 's', value: offlineSeconds, aim: atMost(20, 'value') }
  yield { name: 'sent to other nodes by a node alone', unit: 'bytes', value: aloneBytes, aim: atMost(0, 'value') }
  yield { name: 'its processor when idle', unit: '% of a core', value: alonePercent }
}

function* restartRows({ restart }: NodesPace, what: string, row: RestartRow): Generator<Row> {
  const isKill = what.includes('killed')
  const under = `${restart.sockets.toLocaleString('en')} sockets and ${restart.sendsPerSecond} sends/s`
  const { absenceP50: p50, absenceP95: p95, absenceP99: p99, longestAbsence: max } = row
  yield {
    name: `${what} under ${under}: absence of a socket, p95`,
    unit: 's',
    value: p95,
    times: { p50: p50 * 1000, p95: p95 * 1000, p99: p99 * 1000, max: max * 1000 },
    ...(!isKill && { aim: atMost(3, 'value') }),
  }
  yield { name: 'the longest absence', unit: 's', value: max, aim: atMost(isKill ? 10 : 5, 'value') }
  const complete = { name: 'until the last socket has every message', unit: 's', value: row.completeSeconds, errors: 0 }
  if (isKill) yield { ...complete, aim: atMost(12, 'value') }
  const failed = { name: 'attempts to send that failed and were repeated', unit: 'sends', value: row.failedSends }
  yield { ...failed, ...(!isKill && { aim: atMost(0, 'value') }) }
  const longest = { name: 'the longest that a send waited for its answer', unit: 's', value: row.longestSendSeconds }
  yield { ...longest, aim: atMost(5, 'value') }
}

function* busRows(row: BusFaultRow): Generator<Row> {
  const name = 'processor of PostgreSQL with the bus, compared with none'
  yield { name, unit: 'times', value: row.databaseCpuRatio, aim: atMost(1.1, 'value') }
  yield {
    name: 'bus cut: the same node',
    unit: 'ms',
    value: row.sameAway,
    ceiling: { name: 'before', value: row.sameBefore },
    ratio: row.sameAway / row.sameBefore,
    aim: atMost(1.05),
  }
  const { otherAwayP50: p50, otherAwayP95: p95, otherAwayP99: p99, otherAwayMax: max } = row
  yield {
    name: 'bus cut: the other node, p95',
    unit: 'ms',
    value: p95,
    times: { p50, p95, p99, max },
    errors: 0,
    aim: atMost(1000, 'p95'),
  }
  const frozen = { name: 'memory added while the bus is frozen', unit: 'MB', value: row.frozenBytes / 1e6 }
  yield { ...frozen, aim: atMost(20, 'value') }
}
