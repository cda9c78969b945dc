import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../server/config/config.ts'
import { loadSecrets } from '../server/config/secrets.ts'
import { StartError } from '../server/config/start-error.ts'
import { startEmbeddedPostgres } from '../server/postgres/embedded-postgres.ts'
import { connect, servesDirectory } from '../server/postgres/postmaster.ts'
import { listenForStop } from './run-command.ts'

/**
 * The database of a workspace, for a command that needs one: see `reachDatabase`.
 * @param signal aborts the start, for a command that stops the database itself when it is asked to end
 * @throws StartError if there is none; then nothing is created
 */
export async function openPostgres(config: Config, signal?: AbortSignal) {
  const { databaseUrl, dataDir } = config
  if (databaseUrl) return { url: databaseUrl, stop: async () => {} }
  if (!hasWorkspace(config))
    throw new StartError(
      `There is no workspace in ${dataDir}. Run this in the folder in which Parley is started, or set DATA_DIR.`,
    )
  const { database: password } = await loadSecrets(config)
  return reachDatabase(config, password, signal).catch((error) => {
    throw new StartError(error.message)
  })
}

/** Whether there is a database: always with DATABASE_URL, else once Parley has been started. */
export const hasWorkspace = ({ databaseUrl, dataDir }: Config) =>
  databaseUrl !== undefined || existsSync(join(dataDir, 'postgres/PG_VERSION'))

/** The database of a running Parley on the same folder; undefined if none runs. */
export async function findRunningPostgres(config: Config): Promise<string | undefined> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl) return databaseUrl
  const { database: password } = await loadSecrets(config)
  return runningAt(join(dataDir, 'postgres'), password)
}

/** The database of a running Parley on the same folder, or one started for a command. `stop` stops only what was started. */
export async function reachDatabase({ dataDir, databaseUrl }: Config, password: string, signal?: AbortSignal) {
  if (databaseUrl) return { url: databaseUrl, stop: async () => {} }
  const url = await runningAt(join(dataDir, 'postgres'), password)
  if (url) return { url, stop: async () => {} }
  return signal
    ? startEmbeddedPostgres({ dataDir, password, log: console.log, signal })
    : startPostgres(dataDir, password)
}

/** Starts the database of a command, which takes it along if it is asked to end. */
export async function startPostgres(dataDir: string, password: string, onStop = () => {}) {
  let stop: (() => Promise<void>) | undefined
  const { signal } = listenForStop(() => {
    onStop()
    void stop?.().finally(() => process.exit(1))
  })
  const postgres = await startEmbeddedPostgres({ dataDir, password, log: console.log, signal })
  stop = postgres.stop
  return postgres
}

async function runningAt(dir: string, password: string): Promise<string | undefined> {
  const text = await readFile(join(dir, 'postmaster.pid'), 'utf8').catch(() => '')
  const [, , , port] = text.split('\n').map(Number)
  const client = port ? await connect(port, password, 5000).catch(() => undefined) : undefined
  if (!client) return undefined
  try {
    const isThisOne = await servesDirectory(client, dir)
    return isThisOne ? `postgres://parley:${encodeURIComponent(password)}@127.0.0.1:${port}/parley` : undefined
  } finally {
    await client.end()
  }
}
