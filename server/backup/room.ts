import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Config } from '../config/config.ts'
import { StartError } from '../config/start-error.ts'
import { type Manifest, storedBytes } from './manifest.ts'

/** Compressed tables take about a third of their size. */
const PACKED_SHARE = 1 / 3
/** Indexes and the WAL take about as much again. */
const WITH_INDEXES = 2
/** An empty one, with its log. */
const NEW_DATABASE_BYTES = 250 * 1024 ** 2

/** The free bytes where a folder is, or will be. */
export async function freeBytes(folder: string): Promise<number> {
  let there = folder
  while (!(await stat(there).catch(() => undefined)) && dirname(there) !== there) there = dirname(there)
  const { bavail, bsize } = await statfs(there)
  return bavail * bsize
}

export const megabytes = (bytes: number) => `${Math.ceil(bytes / 1024 ** 2)} MB`

const databaseBytes = (tables: Manifest['tables']) => (storedBytes(tables) / PACKED_SHARE) * WITH_INDEXES

/** @throws StartError if a folder has no space for a backup's database and files */
export async function requireDrillRoom(folder: string, { name, tables, files }: Manifest) {
  const needed = NEW_DATABASE_BYTES + databaseBytes(tables) + (files?.bytes ?? 0)
  const free = await freeBytes(folder)
  if (free < needed)
    throw new StartError(
      `Restoring ${name} takes about ${megabytes(needed)}, but ${megabytes(free)} are free in ${folder}. --in=FOLDER restores it elsewhere.`,
    )
}

/**
 * Call before the database is replaced by a backup: it needs space for both until the old one is gone.
 * @throws StartError if the embedded database's disk has less; the free space of other machines is unknown
 */
export async function requireRoom({ databaseUrl, dataDir }: Config, { name, tables }: Manifest) {
  if (databaseUrl) return
  const needed = databaseBytes(tables)
  const free = await freeBytes(dataDir)
  if (free < needed)
    throw new StartError(
      `The database of ${name} needs about ${megabytes(needed)} beside the present one, but ${megabytes(free)} are free in ${dataDir}: make room first. The database was not changed.`,
    )
}
