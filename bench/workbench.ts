import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { type Database, openDatabase } from '../server/db/database.ts'
import { startEmbeddedPostgres } from '../server/db/embedded-postgres.ts'
import { keepSecrets } from '../server/secrets.ts'
import type { Job, Outcome } from './generator.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Everything that is measured or measures, each in its own process. */
export interface Workbench {
  /** The database itself, for filling it and for asking it what is true. */
  database: Database
  /** Ports on 127.0.0.1. */
  parley: number
  ceilings: number
  generate(job: Job): Promise<Outcome>
  close(): Promise<void>
}

/** @param profileInto folder for a CPU profile of Parley, written at its end */
export async function openWorkbench(profileInto?: string): Promise<Workbench> {
  const closing: (() => Promise<unknown>)[] = []
  const close = async () => {
    for (let last = closing.pop(); last; last = closing.pop()) await last()
  }
  try {
    const dataDir = await mkdtemp(join(tmpdir(), 'parley-bench-'))
    closing.push(() => rm(dataDir, { recursive: true, force: true }))
    const { database: password } = await keepSecrets(dataDir)
    const postgres = await startEmbeddedPostgres({ dataDir, password, log: console.log })
    closing.push(() => postgres.stop())

    const flags = profileInto ? ['--cpu-prof', '--cpu-prof-interval=500', `--cpu-prof-dir=${profileInto}`] : []
    const env = { ...process.env, DATA_DIR: dataDir, DATABASE_URL: postgres.url, PUBLIC_URL: '' }
    const server = spawn(process.execPath, [...flags, 'server/main.ts'], {
      cwd: root,
      env: { ...env, PORT: '0', HOST: '127.0.0.1', RATE_LIMIT: 'off', LOG_LEVEL: 'warn' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    closing.push(() => end(server, () => server.kill('SIGTERM')))
    const parley = await portOf(server)

    const [ceilings, generator] = [start('ceilings.ts'), start('generator.ts')]
    closing.push(() => end(ceilings, () => ceilings.disconnect()))
    closing.push(() => end(generator, () => generator.disconnect()))
    const [{ port }] = (await once(ceilings, 'message')) as [{ port: number }]

    const database = openDatabase(postgres.url, { onError: console.error, patience: 0 })
    closing.push(() => database.db.destroy())
    const generate = async (job: Job) => {
      const done = once(generator, 'message')
      generator.send(job)
      return ((await done) as [Outcome])[0]
    }
    return { database, parley, ceilings: port, generate, close }
  } catch (error) {
    await close()
    throw error
  }
}

const start = (file: string) =>
  fork(fileURLToPath(new URL(file, import.meta.url)), [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })

async function end(child: ChildProcess, ask: () => void) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  ask()
  await gone
}

/** Parley says its address when it is ready. */
async function portOf(server: ChildProcess): Promise<number> {
  if (!server.stdout) throw new Error('Parley was started without a pipe')
  for await (const line of createInterface({ input: server.stdout })) {
    const port = /ready: http:\/\/localhost:(\d+)/.exec(line)?.[1]
    if (!port) continue
    server.stdout.resume()
    return Number(port)
  }
  throw new Error('Parley did not start')
}
