import { existsSync } from 'node:fs'
import { open, rm, statfs } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Config } from '../../server/config/config.ts'
import { dataDirProblem } from '../../server/config/data-dir.ts'
import { type Finding, ok, problem } from './finding.ts'

const GB = 1024 ** 3
const MIN_FREE_BYTES = GB
const MIN_FREE_SHARE = 0.05
/** Above that size, a share of the disk is more than anybody needs. */
const MAX_FREE_BYTES = 10 * GB
const MIN_FREE_FILES = 10_000
const FLUSHES = 20
const FLUSH_BYTES = 8192
/** A message is stored after one flush; people notice a tenth of a second. */
const SLOW_FLUSH_MS = 25

/** Room on the disk of `DATA_DIR`, whether it can be written to, and how long a flush takes. */
export async function checkDisk({ dataDir, databaseUrl }: Config): Promise<Finding[]> {
  const folder = nearestFolder(dataDir)
  const findings: Finding[] = []
  try {
    findings.push(await checkRoom(folder))
    const flushMs = await measureFlush(folder)
    // Elsewhere, the database's disk is the one that matters.
    if (!databaseUrl) findings.push(describeFlush(flushMs))
  } catch (error) {
    const known = dataDirProblem(Object.assign(error as Error, { path: folder }), dataDir)
    if (!known) throw error
    findings.push(problem(known.message))
  }
  return findings
}

/** The data folder, or before the first start the one that will contain it. */
function nearestFolder(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestFolder(dirname(path))
}

async function checkRoom(folder: string): Promise<Finding> {
  const { bavail, blocks, bsize, ffree, files } = await statfs(folder)
  const [free, total] = [bavail * bsize, blocks * bsize]
  const needed = Math.max(MIN_FREE_BYTES, Math.min(total * MIN_FREE_SHARE, MAX_FREE_BYTES))
  const text = `${gigabytes(free)} of ${gigabytes(total)} are free in ${folder}`
  if (free < needed)
    return problem(`Only ${text}. Make room: with less than ${gigabytes(needed)}, a busy week may fill it.`)
  // Some file systems don't count them.
  if (files > 0 && ffree < MIN_FREE_FILES)
    return problem(`${folder} has room for ${ffree} more files only. Remove some.`)
  return ok(`${text}.`)
}

const gigabytes = (bytes: number) => `${(bytes / GB).toFixed(bytes < 10 * GB ? 1 : 0)} GB`

/** The median, in milliseconds. */
async function measureFlush(folder: string): Promise<number> {
  const path = join(folder, `.doctor-${process.pid}`)
  const file = await open(path, 'wx')
  try {
    // At once, so that nothing is left behind if this is interrupted. Windows doesn't allow it while the file is open.
    await rm(path).catch(() => {})
    const times: number[] = []
    for (let n = 0; n < FLUSHES; n++) {
      const began = performance.now()
      await file.write(Buffer.alloc(FLUSH_BYTES, n))
      await file.datasync()
      times.push(performance.now() - began)
    }
    return times.sort((a, b) => a - b)[FLUSHES / 2] as number
  } finally {
    await file.close()
    await rm(path, { force: true })
  }
}

function describeFlush(ms: number): Finding {
  const text = `A flush to the disk takes ${ms.toFixed(ms < 10 ? 1 : 0)} ms`
  if (ms <= SLOW_FLUSH_MS) return ok(`${text}.`)
  return problem(
    `${text}, and each message waits for one. Put DATA_DIR on a local SSD, not on a network drive or a memory card.`,
  )
}
