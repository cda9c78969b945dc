import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'

/** Clock ticks per second, the same on every Linux. */
const TICKS_PER_SECOND = 100

/** The fields of /proc/<pid>/stat after the name, which may contain anything; empty if the process has ended. */
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

/** CPU seconds of a process and all its children, including ended ones. */
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
 * Waits until a process has used less than a twentieth of a core in each of `quiet` consecutive seconds. Returns the seconds
 * until these began. Ten quiet seconds let the engine finish its garbage collection.
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
