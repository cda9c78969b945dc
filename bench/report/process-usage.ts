import { readdirSync, readFileSync } from 'node:fs'

/** Ticks of a second in /proc, the same on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100

interface ProcessStat {
  name: string
  parent: number
  ticks: number
}

/** A process's usage; undefined if it has ended or there is no /proc. */
function readStat(pid: number | string): ProcessStat | undefined {
  const stat = read(pid, 'stat')
  if (stat === undefined) return undefined
  // The name is in parentheses and may contain anything.
  const end = stat.lastIndexOf(')')
  const fields = stat.slice(end + 2).split(' ')
  // Its own time, and that of its children that have ended.
  const ticks = fields.slice(11, 15).reduce((sum, it) => sum + Number(it), 0)
  return { name: stat.slice(stat.indexOf('(') + 1, end), parent: Number(fields[1]), ticks }
}

function read(pid: number | string, file: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return undefined
  }
}

/** A process and its descendants, or those with a given name. Empty without /proc. */
export function familyOf(pid: number, name?: string): number[] {
  const all = new Map<number, ProcessStat>()
  for (const entry of processIds()) {
    const it = /^\d+$/.test(entry) ? readStat(entry) : undefined
    if (it) all.set(Number(entry), it)
  }
  const family = all.has(pid) ? [pid] : []
  for (const member of family) for (const [child, { parent }] of all) if (parent === member) family.push(child)
  return name === undefined ? family : family.filter((member) => all.get(member)?.name === name)
}

function processIds(): string[] {
  try {
    return readdirSync('/proc')
  } catch {
    return []
  }
}

/** CPU seconds of processes and their ended children; undefined without /proc. */
export function cpuSeconds(pids: number[]): number | undefined {
  const all = pids.map(readStat).filter((it) => it !== undefined)
  return all.length > 0 ? all.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS_PER_SECOND : undefined
}

/** Memory of processes in bytes; shared memory is divided among them. */
export function proportionalBytes(pids: number[]): number | undefined {
  const all = pids.map((pid) => kilobytes(read(pid, 'smaps_rollup'), 'Pss')).filter((it) => it !== undefined)
  return all.length > 0 ? all.reduce((sum, it) => sum + it, 0) : undefined
}

/** Bytes of memory in which a process resides. */
export const residentOf = (pid: number) => kilobytes(read(pid, 'status'), 'VmRSS')

function kilobytes(text: string | undefined, name: string): number | undefined {
  const found = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(text ?? '')?.[1]
  return found === undefined ? undefined : Number(found) * 1024
}
