import { setTimeout as sleep } from 'node:timers/promises'
import { downloading, uploading } from '../load/file-jobs.ts'
import { type Load, runLoad } from '../report/measure.ts'
import { residentOf } from '../report/process-usage.ts'
import { atMost, type Row } from '../report/row.ts'
import { type SignedUpUser, signUp } from '../setup/sign-up-people.ts'
import { startParley, temporaryFolder } from '../setup/start-parley.ts'
import type { Workbench } from '../setup/workbench.ts'

const MB = 1e6
const LARGE_FILE_BYTES = 1000 * MB
const SMALL_FILE_BYTES = 100 * MB
/** Interval between samples, and rest before the first. */
const POLL_INTERVAL_MS = 20
const REST_MS = 2000
/** So short that a job has a single pass. */
const ONE_PASS_SECONDS = 0.001

/** The additional memory of a server during the transfer of a large file, after a smaller one as warm-up. */
export async function* measureMemory(bench: Workbench): AsyncGenerator<Row> {
  const folder = await temporaryFolder(bench.cleanup)
  const parley = await startParley(bench.cleanup, { DATA_DIR: folder, DATABASE_URL: '' })
  const [{ token }] = (await signUp(parley.port, 1)) as [SignedUpUser]
  const up = (size: number) => uploading(parley.port, token, size, 1)
  const down = (size: number) => downloading(parley.port, token, size, 1)
  await runLoad(bench, up(SMALL_FILE_BYTES), ONE_PASS_SECONDS)
  await runLoad(bench, await down(SMALL_FILE_BYTES), ONE_PASS_SECONDS)

  const row = async (way: string, load: Load): Promise<Row[]> => {
    const found = await peakMemoryDuring(parley.pid, () => runLoad(bench, load, ONE_PASS_SECONDS))
    if (!found) return []
    return [{ name: `memory added while 1 GB ${way}`, unit: 'MB', value: found.added / MB, aim: atMost(20, 'value') }]
  }
  yield* await row('comes up', up(LARGE_FILE_BYTES))
  yield* await row('goes down', await down(LARGE_FILE_BYTES))
  await parley.stop()
}

/** The peak growth of a process's memory; undefined without /proc. */
async function peakMemoryDuring(pid: number, act: () => Promise<unknown>) {
  await sleep(REST_MS)
  const before = residentOf(pid)
  if (before === undefined) return undefined
  let most = before
  const timer = setInterval(() => {
    most = Math.max(most, residentOf(pid) ?? 0)
  }, POLL_INTERVAL_MS)
  await act().finally(() => clearInterval(timer))
  return { added: most - before }
}
