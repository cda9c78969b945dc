import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { loadOrCreateSecrets } from '../../server/config/secrets.ts'
import { type Database, openDatabase } from '../../server/db/database.ts'
import { startEmbeddedPostgres } from '../../server/postgres/embedded-postgres.ts'
import type { Job, Outcome } from '../load/jobs.ts'
import { cpuSeconds, familyOf } from '../report/process-usage.ts'
import type { Cleanup } from './cleanup.ts'
import { ended, startParley, temporaryFolder } from './start-parley.ts'

/** The servers and the load generator, each in its own process. */
export interface Workbench {
  /** Direct access to the database, to fill and check it. */
  database: Database
  databaseUrl: string
  /** Ports on 127.0.0.1. */
  parley: number
  ceilings: number
  /** Parley's process. */
  pid: number
  /** CPU seconds used so far by Parley and PostgreSQL together, if the system reports it. */
  cpu(): number | undefined
  generate(job: Job): Promise<Outcome>
  cleanup: Cleanup
}

/** @param flags Node flags for Parley */
export async function openWorkbench(cleanup: Cleanup, flags: string[]): Promise<Workbench> {
  const dataDir = await temporaryFolder(cleanup)
  const { database: password } = await loadOrCreateSecrets(dataDir)
  const postgres = await startEmbeddedPostgres({ dataDir, password, log: console.error })
  await cleanup.add(() => postgres.stop())

  const server = await startParley(cleanup, { DATA_DIR: dataDir, DATABASE_URL: postgres.url }, flags)
  const ceilings = await start(cleanup, 'bare-fastify.ts')
  const generate = await startGenerator(cleanup)
  const [{ port }] = (await once(ceilings, 'message')) as [{ port: number }]

  const database = openDatabase(postgres.url, { onError: console.error, timeoutMs: 0 })
  await cleanup.add(() => database.pool.end())
  return {
    database,
    databaseUrl: postgres.url,
    parley: server.port,
    ceilings: port,
    pid: server.pid,
    // The embedded PostgreSQL is a child of this process.
    cpu: () => cpuSeconds([server.pid, ...familyOf(process.pid, 'postgres')]),
    generate,
    cleanup,
  }
}

/** Starts a load generator, which does one job at a time. */
export async function startGenerator(cleanup: Cleanup) {
  const generator = await start(cleanup, '../load/generator.ts')
  return async (job: Job): Promise<Outcome> => {
    const done = once(generator, 'message')
    generator.send(job)
    return ((await done) as [Outcome])[0]
  }
}

async function start(cleanup: Cleanup, file: string) {
  const path = fileURLToPath(new URL(file, import.meta.url))
  const child = fork(path, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  await cleanup.add(() => ended(child, () => child.disconnect()))
  return child
}
