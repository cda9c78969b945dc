import { lstat, mkdtemp, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readConfig } from '../../server/config/config.ts'
import { loadSecrets } from '../../server/config/secrets.ts'
import { StartError } from '../../server/config/start-error.ts'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { isAlive } from '../../server/postgres/process-checks.ts'

const PREFIX = 'parley-restore-drill-'
const OTHERS_MAY_WRITE = 0o022

/** A new folder, named after this process. Removes those of drills that were killed. @throws StartError */
export async function makeDrillFolder(parent: string): Promise<string> {
  try {
    await removeAbandoned(parent)
    return await mkdtemp(join(parent, `${PREFIX}${process.pid}-`))
  } catch (error) {
    const { message } = error as Error
    throw new StartError(`${parent} can't be used for the drill: ${message}. --in=FOLDER chooses another one.`)
  }
}

export const removeDrillFolder = (folder: string) => rm(folder, { recursive: true, force: true, maxRetries: 5 })

async function removeAbandoned(parent: string) {
  for (const name of await readdir(parent)) {
    const [, pid] = /^parley-restore-drill-(\d+)-/.exec(name) ?? []
    if (!pid || isAlive(Number(pid))) continue
    const folder = join(parent, name)
    if (!(await isOwnFolder(folder))) continue
    console.log(`Deleting ${folder}, which an earlier drill left behind …`)
    // Its database may still run: starting it ends what is left, and then it can be stopped.
    await stopDatabase(join(folder, 'data')).catch(() => {})
    await removeDrillFolder(folder).catch((error) => console.warn(`It can't be deleted: ${error.message}.`))
  }
}

/** Whether only this account can have made what is in it: in a folder for everybody, others may use the name. */
async function isOwnFolder(folder: string): Promise<boolean> {
  const found = await lstat(folder)
  if (process.platform === 'win32') return found.isDirectory()
  return found.isDirectory() && found.uid === process.getuid?.() && (found.mode & OTHERS_MAY_WRITE) === 0
}

async function stopDatabase(dataDir: string) {
  const { database: password } = await loadSecrets(readConfig({ DATA_DIR: dataDir }))
  const { stop } = await startEmbeddedPostgres({ dataDir, password, log: () => {} })
  await stop()
}
