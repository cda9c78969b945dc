import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { StartError } from '../config/start-error.ts'

/** A new folder for what a backup needs only while it runs. @throws StartError */
export async function temporaryFolder() {
  const path = await mkdtemp(join(tmpdir(), 'parley-backup-')).catch((error) => {
    throw new StartError(`The folder for temporary files can't be used: ${error.message}`)
  })
  return { path, remove: () => rm(path, { recursive: true, force: true }) }
}
