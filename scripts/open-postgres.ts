import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readFilesId } from '../server/channels/workspace.ts'
import type { Config } from '../server/config/config.ts'
import { loadOrCreateSecrets } from '../server/config/secrets.ts'
import { openDatabase } from '../server/db/database.ts'
import { startEmbeddedPostgres } from '../server/postgres/embedded-postgres.ts'

/** The database of a running Parley, or the embedded one, started for a command. `stop` stops only what was started. */
export async function openPostgres({ databaseUrl, dataDir }: Config) {
  if (databaseUrl) return { url: databaseUrl, stop: async () => {} }
  const { database: password } = await loadOrCreateSecrets(dataDir)
  const pidFile = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '')
  const port = Number(pidFile.split('\n')[3])
  if (port) {
    const url = `postgres://parley:${password}@127.0.0.1:${port}/parley`
    const { db } = openDatabase(url, { onError: () => {} })
    const isRunning = await readFilesId(db)
      .then(() => true)
      .catch(() => false)
      .finally(() => db.destroy())
    if (isRunning) return { url, stop: async () => {} }
  }
  return startEmbeddedPostgres({ dataDir, password, log: console.log })
}
