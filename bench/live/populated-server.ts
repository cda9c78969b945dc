import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadOrCreateSecrets } from '../../server/config/secrets.ts'
import { type Database, openDatabase } from '../../server/db/database.ts'
import { migrate } from '../../server/db/migrate.ts'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { type ConnectedUser, populate } from './populate.ts'
import { type ServerProcess, startParley } from './start-servers.ts'

/** A server with many people on a separate database, which can be killed and restarted. */
export interface PopulatedServer {
  database: Database
  /** Process id of the database. */
  postmaster: number
  parley: ServerProcess
  /** Settings with which further nodes join it. */
  env: NodeJS.ProcessEnv
  /** Each person is in `general` and in four of the other channels. */
  people: ConnectedUser[]
  general: string
  /** Kills the server and restarts it on the same port; returns how many seconds that took. */
  restart(): Promise<number>
  /** Called in reverse order by `close`. */
  closing: (() => Promise<unknown>)[]
  close(): Promise<void>
}

/**
 * @param people their number; see populate.ts
 * @param flags Node flags for the server
 */
export async function openPopulatedServer(people: number, flags: string[] = []): Promise<PopulatedServer> {
  const closing: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (let last = closing.pop(); last; last = closing.pop()) await last()
  }
  try {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-live-'))
    closing.push(() => rm(dataDir, { recursive: true, force: true }))
    const secrets = await loadOrCreateSecrets(dataDir)
    const postgres = await startEmbeddedPostgres({ dataDir, password: secrets.database, log: () => {} })
    closing.push(() => postgres.stop())
    const database = openDatabase(postgres.url, { onError: console.error, timeoutMs: 0 })
    closing.push(() => database.db.destroy())
    await migrate(database.db)
    const env = { DATA_DIR: dataDir, DATABASE_URL: postgres.url, PUBLIC_URL: '' }
    const postmaster = await postmasterOf(dataDir)
    let parley = await startParley(env, 0, flags)
    closing.push(() => parley.stop())
    const populated = await populate(parley.port, database, secrets.identity, people)
    const populatedServer: PopulatedServer = {
      ...{ ...populated, database, postmaster, parley, env, closing, close },
      async restart() {
        const startedAt = performance.now()
        await parley.kill()
        parley = await startParley(env, parley.port, flags)
        populatedServer.parley = parley
        return (performance.now() - startedAt) / 1000
      },
    }
    return populatedServer
  } catch (error) {
    await close()
    throw error
  }
}

/** Assigns sockets to people: with fewer people than sockets, each has several, like tabs. */
export const assignSockets = ({ people }: Pick<PopulatedServer, 'people'>, sockets: number) =>
  Array.from({ length: sockets }, (_, n) => people[n % people.length] as ConnectedUser)

const postmasterOf = async (dataDir: string) =>
  Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
