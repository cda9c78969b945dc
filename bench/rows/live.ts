import type { FanOutRow } from '../live/fan-out.ts'
import type { IdleRow } from '../live/idle.ts'
import type { KillRow } from '../live/kill.ts'
import { full, measureLive, quick } from '../live/live-rows.ts'
import type { QuietSendsRow } from '../live/quiet-sends.ts'
import { atLeast, atMost, type Row } from '../report/row.ts'
import type { Cleanup } from '../setup/cleanup.ts'

/** Measures live connections. @param flags Node flags for the server */
export async function* liveRows(cleanup: Cleanup, isQuick: boolean, flags: string[]): AsyncGenerator<Row> {
  const { fanOut, quiet: sends, idle, kill } = await measureLive(cleanup, isQuick ? quick : full, flags)
  yield* idleRows(idle)
  yield* quietRows(sends)
  for (const row of fanOut) yield* fanOutRows(row)
  yield* killRows(kill)
}

const SOCKET_IO = 'bare Socket.IO'

function* fanOutRows({ sockets, parley, socketIo, ws, durable, ...row }: FanOutRow): Generator<Row> {
  const name = `deliveries of durable sends to ${sockets.toLocaleString('en')} sockets`
  const ours = { unit: '/s', value: parley.deliveriesPerSecond, errors: 0 }
  const cpu = parley.serverCpuPer1000 + parley.databaseCpuPer1000
  yield {
    name,
    ...ours,
    ceiling: { name: SOCKET_IO, value: socketIo.deliveriesPerSecond },
    ratio: row.deliveriesRatio,
    cpu,
    aim: atLeast(0.9),
  }
  yield {
    name: 'the same',
    ...ours,
    ceiling: { name: 'bare ws', value: ws.deliveriesPerSecond },
    ratio: row.deliveriesRatioToWs,
    cpu,
  }
  const { p50, p95, p99, max } = parley
  yield {
    name: `from a send to the last of ${sockets.toLocaleString('en')} sockets, ${row.sendsPerSecond} sends/s due`,
    unit: 'ms',
    value: p50,
    ceiling: { name: SOCKET_IO, value: socketIo.p50 },
    p50Ratio: row.p50Ratio,
    times: { p50, p95, p99, max },
    errors: 0,
    aim: atMost(1.5, 'p50Ratio'),
  }
  yield {
    name: 'the same',
    unit: 'ms',
    value: p50,
    ceiling: { name: `${SOCKET_IO} and one insert`, value: durable.p50 },
    p50Ratio: row.p50RatioToDurable,
    times: { p50, p95, p99, max },
    errors: 0,
    // With many sockets the insert is only a small part.
    ...(sockets === 100 && { aim: atMost(1.25, 'p50Ratio') }),
  }
}

function* quietRows({
  sockets,
  sendsPerSecond,
  serverCpuPer1000,
  databaseCpuPer1000,
  ...times
}: QuietSendsRow): Generator<Row> {
  const name = `${sendsPerSecond} sends/s to ${sockets} sockets`
  const cpu = serverCpuPer1000 + databaseCpuPer1000
  yield { name: `${name}: processor of 1,000 sends`, unit: 's', value: cpu, cpu, aim: atMost(3, 'value') }
  yield { name: 'of it PostgreSQL', unit: 's', value: databaseCpuPer1000 }
  const aim = atMost(4, 'value')
  yield { name: 'from a send to the last socket', unit: 'ms', value: times.p50, times, errors: 0, aim }
}

function* idleRows({ sockets, parley, socketIo, residentRatio, heapRatio }: IdleRow): Generator<Row> {
  const all = `${sockets.toLocaleString('en')} idle sockets`
  const beside = (value: number) => ({ ceiling: { name: SOCKET_IO, value: value / 1000 } })
  yield {
    name: `memory for each of ${all}`,
    unit: 'KB',
    value: parley.residentPerSocket / 1000,
    ...beside(socketIo.residentPerSocket),
    ratio: residentRatio,
    aim: atMost(1.25),
  }
  yield {
    name: 'of it heap and buffers',
    unit: 'KB',
    value: parley.heapPerSocket / 1000,
    ...beside(socketIo.heapPerSocket),
    ratio: heapRatio,
  }
  const percent = { unit: '% of a core', value: parley.percent }
  yield { name: `processor for ${all}`, ...percent, aim: atMost(1.2, 'value') }
  yield { name: `processor of PostgreSQL for ${all}`, ...percent, value: parley.databasePercent }
}

function* killRows(row: KillRow): Generator<Row> {
  const name = `server killed under ${row.sockets.toLocaleString('en')} sockets and ${row.sendsPerSecond} sends/s`
  yield { name: `${name}: until it listens again`, unit: 's', value: row.restartSeconds }
  yield { name: 'until the last socket is back', unit: 's', value: row.backSeconds }
  yield { name: 'until the last socket has every message', unit: 's', value: row.completeSeconds, errors: 0 }
  yield { name: 'the longest that a send waited for its answer', unit: 's', value: row.longestSendSeconds }
}
