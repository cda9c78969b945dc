import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

const DAY_MS = 24 * 3600 * 1000
/** How long, and how many bytes, of earlier builds are kept, because open pages still load their chunks. */
const MAX_AGE_MS = 14 * DAY_MS
const MAX_BYTES = 50_000_000

/**
 * Removes files of earlier builds from a folder of hashed files: those replaced more than 14 days ago, and the
 * oldest ones beyond 50 MB.
 * @param current names of the files of this build, without the compressed ones beside them
 * @param record file that remembers when each file was replaced
 */
export async function removeOldFiles(folder: string, current: Set<string>, record: string, now = Date.now()) {
  const replaced = await readRecord(record)
  const names = await readdir(folder)
  const old = await Promise.all(
    names
      .filter((name) => !current.has(name.replace(/\.(br|gz)$/, '')))
      .map(async (name) => ({ name, at: replaced[name] ?? now, size: (await stat(join(folder, name))).size })),
  )
  old.sort((a, b) => b.at - a.at)
  let bytes = 0
  const kept: Record<string, number> = {}
  for (const { name, at, size } of old) {
    bytes += size
    if (now - at <= MAX_AGE_MS && bytes <= MAX_BYTES) kept[name] = at
    else await rm(join(folder, name))
  }
  await writeFile(record, JSON.stringify(kept))
}

async function readRecord(record: string): Promise<Record<string, number>> {
  try {
    return JSON.parse(await readFile(record, 'utf8'))
  } catch {
    // No earlier build, or one without a record.
    return {}
  }
}
