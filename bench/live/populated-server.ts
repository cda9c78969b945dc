import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadOrCreateSecrets } from '../../server/config/secrets.ts'
import { type Database, openDatabase } from '../../server/db/database.ts'
import { migrate } from '../../server/db/migrate.ts'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import { type ConnectedUser, populate } from './populate.ts'
import { type ServerProcess, startParley } from './start-servers.ts'

/** A server full of people that can be killed and restarted, on a database of its own. */
export interface PopulatedServer {
  database: Database
  /** Process of the database. */
  postmaster: number
  parley: ServerProcess
  /** Each is in `general` and in four of the other channels. */
  people: ConnectedUser[]
  general: string
  /** Kills the server and restarts it on the same port; returns how many seconds that took. */
  restart(): Promise<number>
  /** Called in reverse order by `close`. */
  closing: (() => Promise<unknown>)[]
  close(): Promise<void>
}

/**
 * @param people how many; see populate.ts
 * @param flags of Node, for the server
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
    const populatedServer = { database, postmaster: await postmasterOf(dataDir), closing, close } as PopulatedServer
    populatedServer.parley = await startParley(env, 0, flags)
    closing.push(() => populatedServer.parley.stop())
    populatedServer.restart = async () => {
      const startedAt = performance.now()
      await populatedServer.parley.kill()
      populatedServer.parley = await startParley(env, populatedServer.parley.port, flags)
      return (performance.now() - startedAt) / 1000
    }
    return Object.assign(
      populatedServer,
      await populate(populatedServer.parley.port, database, secrets.identity, people),
    )
  } catch (error) {
    await close()
    throw error
  }
}

/** Assigns sockets to people: with fewer people than sockets, each has several, like tabs. */
export const assignSockets = ({ people }: PopulatedServer, sockets: number) =>
  Array.from({ length: sockets }, (_, n) => people[n % people.length] as ConnectedUser)

const postmasterOf = async (dataDir: string) =>
  Number.parseInt(await readFile(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8'), 10)
