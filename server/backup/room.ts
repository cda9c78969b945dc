import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import type { Manifest } from './manifest.ts'

/** Compressed tables take about a third of their size. */
const PACKED_SHARE = 1 / 3
/** Indexes and the WAL take about as much again. */
const WITH_INDEXES = 2

/** The free bytes where a folder is, or will be. */
export async function freeBytes(folder: string): Promise<number> {
  let there = folder
  while (!(await stat(there).catch(() => undefined)) && dirname(there) !== there) there = dirname(there)
  const { bavail, bsize } = await statfs(there)
  return bavail * bsize
}

export const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2)} MB`

/**
 * Call before the database is replaced by a backup: it needs space for both until the old one is gone.
 * @throws StartError if the embedded database's disk has less; the free space of other machines is unknown
 */
export async function requireRoom({ databaseUrl, dataDir }: Config, { name, tables }: Manifest) {
  if (databaseUrl) return
  const packed = tables.reduce((sum, { size }) => sum + size, 0)
  const needed = (packed / PACKED_SHARE) * WITH_INDEXES
  const free = await freeBytes(dataDir)
  if (free < needed)
    throw new StartError(
      `The database of ${name} needs about ${megabytes(needed)} beside the present one, but ${megabytes(free)} are free in ${dataDir}: make room first. The database was not changed.`,
    )
}
