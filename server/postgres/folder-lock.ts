import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** SQLite's code for a file that another program has locked. */
const BUSY = 5

/** A file that nothing refers to would be closed, and with that its lock released. */
const held = new Set<DatabaseSync>()

/**
 * Keeps other programs from using a data folder until this process ends, also those in other containers: PostgreSQL's own checks
 * compare process ids and shared memory, which each container has of its own. Node can't lock files, but its SQLite does, with a
 * lock that the kernel releases. Without effect if the file system has no locks, or the folder can't be written to.
 * @returns releases the lock
 * @throws if another program has it
 */
export function lockFolder(dataDir: string): () => void {
  mkdirSync(dataDir, { recursive: true })
  let file: DatabaseSync | undefined
  try {
    file = new DatabaseSync(join(dataDir, 'parley.lock'))
    // Without the journal, which would be a second file.
    file.exec('pragma journal_mode = memory; begin exclusive')
  } catch (error) {
    file?.close()
    if ((error as { errcode?: number }).errcode !== BUSY) return () => {}
    throw new Error(
      `Another Parley is running on ${dataDir}, perhaps in a container: stop it first, or set DATA_DIR to another directory.`,
    )
  }
  held.add(file)
  return () => {
    if (held.delete(file)) file.close()
  }
}
