import { setTimeout as sleep } from 'node:timers/promises'
import { downloading, uploading } from '../load/file-jobs.ts'
import { type Load, take } from '../report/measure.ts'
import { residentOf } from '../report/process-usage.ts'
import { atMost, type Row } from '../report/row.ts'
import { type Speaker, signUp } from '../setup/sign-up-people.ts'
import { startParley, temporaryFolder } from '../setup/start-parley.ts'
import type { Workbench } from '../setup/workbench.ts'

const MB = 1e6
const LARGE = 1000 * MB
const SMALL = 100 * MB
/** Milliseconds between two looks, and for which the server rests before. */
const LOOK = 20
const REST = 2000
/** A job of one turn. */
const ONCE = 0.001

/** What a server of its own holds more while a large file passes, than before; a smaller one has passed already. */
export async function* measureMemory(bench: Workbench): AsyncGenerator<Row> {
  const folder = await temporaryFolder(bench.cleanup)
  const parley = await startParley(bench.cleanup, { DATA_DIR: folder, DATABASE_URL: '' })
  const [{ token }] = (await signUp(parley.port, 1)) as [Speaker]
  const up = (size: number) => uploading(parley.port, token, size, 1)
  const down = (size: number) => downloading(parley.port, token, size, 1)
  await take(bench, up(SMALL), ONCE)
  await take(bench, await down(SMALL), ONCE)

  const row = async (way: string, load: Load): Promise<Row[]> => {
    const found = await watched(parley.pid, () => take(bench, load, ONCE))
    if (!found) return []
    return [{ name: `memory added while 1 GB ${way}`, unit: 'MB', value: found.added / MB, aim: atMost(20, 'value') }]
  }
  yield* await row('comes up', up(LARGE))
  yield* await row('goes down', await down(LARGE))
  await parley.stop()
}

/** How far the memory of a process rises above what it was; undefined where the system does not tell. */
async function watched(pid: number, act: () => Promise<unknown>) {
  await sleep(REST)
  const before = residentOf(pid)
  if (before === undefined) return undefined
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, residentOf(pid) ?? 0)
  }, LOOK)
  await act().finally(() => clearInterval(timer))
  return { added: most - before }
}
