import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

export interface TemporaryFiles {
  database: DatabaseSync
  /** For what is too long for the database. */
  file: FileHandle
  close: () => Promise<void>
}

const CACHE_KILOBYTES = 8 * 1024

/** SQLite's code for a full disk. */
const FULL = 13

/**
 * A database and a file on disk, so that memory stays the same however much they hold. Nothing has to survive a crash: the database
 * is one transaction that is never committed, and never waits for the disk.
 * @param tables the statements that create the database's tables
 */
export async function openTemporaryFiles(tables: string): Promise<TemporaryFiles> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-import-'))
  const remove = () => rm(folder, { recursive: true, force: true })
  let [database, file]: [DatabaseSync?, FileHandle?] = []
  try {
    file = await open(join(folder, 'file'), 'w+')
    database = new DatabaseSync(join(folder, 'database'))
    database.exec(`
      pragma journal_mode = memory; pragma synchronous = off; pragma locking_mode = exclusive;
      pragma cache_size = -${CACHE_KILOBYTES};
      ${tables};
      begin immediate`)
    const opened = { database, file }
    // Open files stay usable, and then nothing remains if this process is killed. Windows can't, and removes them at the end.
    await remove().catch(() => undefined)
    return { ...opened, close: () => close(opened).finally(remove) }
  } catch (error) {
    await close({ database, file }).finally(remove)
    throw error
  }
}

async function close({ database, file }: { database?: DatabaseSync | undefined; file?: FileHandle | undefined }) {
  database?.close()
  await file?.close()
}

/** Whether an error says that the disk with temporary files is full. */
export function isTemporaryDiskFull(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown }
  return code === 'ENOSPC' || code === 'EDQUOT' || errcode === FULL
}
