import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isAlive } from '../../postgres/process-checks.ts'

/** Copying a database takes 20 ms there, and 500 ms on a disk. */
const MEMORY = '/dev/shm'
const NEEDED_BYTES = 4 * 1024 ** 3
const FOLDER_NAME = /^parley-[a-z]+-(\d+)-/

/**
 * Creates a folder in memory, or on disk if there is not enough space. Removes what killed runs left in memory.
 * @param name lowercase letters
 */
export async function memoryFolder(name: string) {
  const stats = await statfs(MEMORY).catch(() => undefined)
  const free = stats ? stats.bavail * stats.bsize : 0
  if (free < NEEDED_BYTES) return await mkdtemp(join(tmpdir(), `parley-${name}-`))
  for (const folder of await readdir(MEMORY)) {
    const pid = FOLDER_NAME.exec(folder)?.[1]
    if (pid && !isAlive(Number(pid))) await rm(join(MEMORY, folder), { recursive: true, force: true })
  }
  return await mkdtemp(join(MEMORY, `parley-${name}-${process.pid}-`))
}
