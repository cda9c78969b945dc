import { setTimeout as sleep } from 'node:timers/promises'
import { median, type Pace } from '../report/measure.ts'
import { cpuSeconds, familyOf, proportionalBytes } from '../report/process-usage.ts'
import type { Row } from '../report/row.ts'
import type { Cleanup } from '../setup/cleanup.ts'
import { startParley, temporaryFolder } from '../setup/start-parley.ts'

/** Milliseconds after a start until it is idle. */
const SETTLE_MS = 5000
/** Seconds of idleness for each second of a turn. */
const IDLE_SECONDS_PER_SECOND = 5

/** Time from the command to a ready server, and the CPU time of an idle one. */
export async function* measureStart(cleanup: Cleanup, pace: Pace): AsyncGenerator<Row> {
  const first: number[] = []
  const second: number[] = []
  for (let round = 1; ; round++) {
    const settings = { DATA_DIR: await temporaryFolder(cleanup), DATABASE_URL: '' }
    const fresh = await timed(() => startParley(cleanup, settings))
    await fresh.parley.stop()
    const again = await timed(() => startParley(cleanup, settings))
    first.push(fresh.seconds)
    second.push(again.seconds)
    if (round < pace.rounds) {
      await again.parley.stop()
      continue
    }
    yield { name: 'first start, which makes the database', unit: 's', value: median(first) }
    yield { name: 'start', unit: 's', value: median(second) }
    yield* await idle(again.parley.pid, pace.seconds * IDLE_SECONDS_PER_SECOND)
    await again.parley.stop()
    return
  }
}

async function timed<T>(start: () => Promise<T>) {
  const at = performance.now()
  const parley = await start()
  return { parley, seconds: (performance.now() - at) / 1000 }
}

async function idle(pid: number, seconds: number): Promise<Row[]> {
  await sleep(SETTLE_MS)
  const family = familyOf(pid)
  const database = familyOf(pid, 'postgres')
  const server = family.filter((it) => !database.includes(it))
  const before = cpuSeconds(family)
  await sleep(seconds * 1000)
  const after = cpuSeconds(family)
  const [ours, theirs] = [proportionalBytes(server), proportionalBytes(database)]
  if (before === undefined || after === undefined || ours === undefined || theirs === undefined) return []
  return [
    { name: 'memory of the idle server', unit: 'MB', value: ours / 1e6 },
    { name: 'memory of its idle PostgreSQL', unit: 'MB', value: theirs / 1e6 },
    { name: 'processor of both when idle', unit: '% of a core', value: ((after - before) / seconds) * 100 },
  ]
}
