import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, readConfig, readDotEnv } from './config/config.ts'
import { prepareDataDir } from './config/data-dir.ts'
import { findMisspelt } from './config/misspelt-settings.ts'
import { loadSecrets } from './config/secrets.ts'
import { StartError } from './config/start-error.ts'
import { PROGRAM_EXTENSION, ROOT } from './installation.ts'
import { supervisePostgres } from './postgres/supervised-postgres.ts'
import { loadSharedSecret, prepareDatabase } from './prepare-database.ts'
import { notifyReady } from './process/service-manager.ts'
import { stopSignal } from './process/stop-signal.ts'

/** How long a stop during the start waits for it: the database may not respond, or another node may be migrating it. */
const START_TIMEOUT_MS = 5000

/** Starts Parley, and releases everything in the reverse order when stopped, even during the start. */
async function main() {
  const parentPid = process.env['PARLEY_PARENT_PID']
  const { stopped, hurry } = stopSignal(parentPid ? Number(parentPid) : undefined)
  readDotEnv()
  for (const sentence of findMisspelt(process.env)) console.warn(sentence)
  const config = readConfig(process.env)
  if (!config.rateLimit) console.warn('RATE_LIMIT is off: anyone can guess passwords at full speed.')
  if (config.signUp === 'open' && !['localhost', '127.0.0.1', '::1'].includes(config.host))
    console.warn('SIGNUP is open: anyone who can reach this address can sign up.')
  // Needed for files, even if the database and the secret are elsewhere.
  if (!config.s3) await prepareDataDir(config.dataDir)
  const secrets = config.databaseUrl ? undefined : await loadSecrets(config)
  const postgres = secrets && (await startPostgres(config, secrets.database, stopped))
  try {
    const starting = start(config, config.databaseUrl ?? (postgres?.url as string), secrets?.identity)
    // An aborted start may still fail.
    starting.catch(() => {})
    const server = await Promise.race([starting, stopped.then(() => sleep(START_TIMEOUT_MS))])
    if (server) await run(server, Promise.race([stopped, ...(postgres ? [postgres.lost] : [])]), hurry)
  } finally {
    await postgres?.stop()
  }
  // An aborted start may still be waiting for the database.
  process.exit()
}

/** Can take minutes if the database recovers. Aborted when Parley is stopped. */
async function startPostgres(config: Config, password: string, stopped: Promise<undefined>) {
  const { dataDir, databaseConnections, processes } = config
  const aborting = new AbortController()
  void stopped.then(() => aborting.abort())
  const connections = databaseConnections.total * processes
  const options = { dataDir, password, connections, log: console.log, signal: aborting.signal }
  return supervisePostgres(options).catch((error) => {
    if (aborting.signal.aborted) process.exit()
    throw new StartError(error.message)
  })
}

/** The app in this process, or several processes. */
interface Server {
  drain: { run(hurry: AbortSignal): Promise<void> }
  close(): Promise<unknown>
}

/** @param embeddedSecret the secret stored with the embedded database */
async function start(config: Config, databaseUrl: string, embeddedSecret: string | undefined): Promise<Server> {
  const secret = embeddedSecret ?? (await loadSharedSecret(config, databaseUrl))
  await prepareDatabase(config, databaseUrl, secret)
  const { server, port } =
    config.processes === 1
      ? await startApp(config, databaseUrl, secret)
      : await startSeveral(config, databaseUrl, secret)
  announce(config, port)
  notifyReady(console.warn)
  return server
}

async function startApp(config: Config, databaseUrl: string, secret: string) {
  const { serve } = await import('./serve.ts')
  const app = await serve({ config, databaseUrl, secret })
  // The actual port if 0 was configured.
  return { server: app, port: (app.server.address() as AddressInfo).port }
}

async function startSeveral(config: Config, databaseUrl: string, secret: string) {
  const { startProcesses } = await import('./processes/primary.ts')
  const program = join(ROOT, `server/worker${PROGRAM_EXTENSION}`)
  const { processes: count, port, host, drainSeconds } = config
  const log = console.error
  const server = await startProcesses({ count, program, port, host, databaseUrl, secret, drainSeconds, log })
  return { server, port: server.port }
}

/** Serves until `end`, which resolves with an error if the database was lost. */
async function run(server: Server, end: Promise<Error | undefined>, hurry: AbortSignal) {
  try {
    const lost = await end
    if (lost) throw lost
    await server.drain.run(hurry)
  } finally {
    await server.close()
  }
}

function announce({ host, publicUrl, databaseUrl, dataDir }: Config, port: number) {
  const lan = host === '0.0.0.0' && !publicUrl ? lanAddress() : undefined
  console.log(`\n  Parley is ready: ${publicUrl ?? `http://localhost:${port}`}`)
  if (lan) console.log(`  On your network: http://${lan}:${port}`)
  if (!databaseUrl) console.log(`  Its data is in:  ${dataDir}`)
  console.log()
}

const lanAddress = () =>
  Object.values(networkInterfaces())
    .flat()
    .find((net) => net && !net.internal && net.family === 'IPv4')?.address

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
})
