import { readFile } from 'node:fs/promises'
import { basename } from 'node:path'

/** Whether a process exists; it may be a zombie. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether a running process may be PostgreSQL. Only Linux can answer this; a zombie's command line is empty there. */
export async function isPostgres(pid: number): Promise<boolean> {
  if (process.platform !== 'linux') return true
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => 'postgres')
  return basename(command.split('\0')[0] ?? '').startsWith('postgres')
}
