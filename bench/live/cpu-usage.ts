import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Ticks of the kernel's clock in a second; Linux has no other number. */
const TICKS_PER_SECOND = 100

/** Fields of /proc/<pid>/stat behind the name, which may hold anything; none where the process has gone. */
async function readProcStat(pid: number | string): Promise<number[] | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => undefined)
  return text
    ?.slice(text.lastIndexOf(')') + 4)
    .split(' ')
    .map(Number)
}

/** CPU seconds of a process so far. */
export async function cpuOf(pid: number): Promise<number> {
  const [, , , , , , , , , , user = 0, system = 0] = (await readProcStat(pid)) ?? []
  return (user + system) / TICKS_PER_SECOND
}

/** The same of a process and all its children, those that have ended too. */
export async function cpuOfFamily(pid: number): Promise<number> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  let ticks = 0
  for (const fields of await Promise.all(pids.map(async (it) => ({ it, stat: await readProcStat(it) })))) {
    const [parent, , , , , , , , , , user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.stat ?? []
    if (fields.it === String(pid)) ticks += user + system + endedUser + endedSystem
    else if (parent === pid) ticks += user + system
  }
  return ticks / TICKS_PER_SECOND
}

/**
 * Waits until a process took less than a twentieth of a core in each of some seconds on end; answers after how many
 * seconds that began. Ten, where its engine should have tidied up after what came before.
 */
export async function waitUntilIdle(pid: number, timeoutS: number, quiet = 1): Promise<number> {
  const startedAt = performance.now()
  let since = 0
  for (;;) {
    const before = await cpuOf(pid)
    await sleep(1000)
    const seconds = (performance.now() - startedAt) / 1000
    if ((await cpuOf(pid)) - before >= 0.05) since = seconds
    if (seconds - since >= quiet) return since
    if (seconds > timeoutS) throw new Error(`process ${pid} had no rest within ${timeoutS} s`)
  }
}
