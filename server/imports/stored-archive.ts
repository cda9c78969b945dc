import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../config/config.ts'
import { type Storage, storageKeyOf } from '../files/storage.ts'
import { ImportProblem } from './import-problem.ts'

/** The storage key of an uploaded archive: among the files, so that the sweep finds what a killed node left behind. */
export const importKeyOf = (archiveId: string) => `${storageKeyOf(archiveId)}.import`

interface Stored {
  archiveId: string | null
  size: number
}

/** Runs `use` with the archive as a local file; one that is stored elsewhere is copied first. */
export async function withArchiveFile<T>(
  { config, storage }: { config: Config; storage: Storage },
  { archiveId, size }: Stored,
  use: (path: string) => Promise<T>,
): Promise<T> {
  if (archiveId === null) throw new ImportProblem('notAnArchive')
  const key = importKeyOf(archiveId)
  const local = storage.pathOf(key)
  if (local !== undefined) return use(join(config.dataDir, 'files', local))
  const folder = await mkdtemp(join(tmpdir(), 'parley-import-'))
  try {
    const bytes = await storage.read(key, size)
    if (!bytes) throw new ImportProblem('notAnArchive')
    const path = join(folder, 'archive')
    await pipeline(bytes, createWriteStream(path, { mode: 0o600 }))
    return await use(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
