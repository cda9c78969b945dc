import { existsSync } from 'node:fs'
import { type AddressInfo, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, readConfig, readDotEnv } from './config/config.ts'
import { prepareDataDir } from './config/data-dir.ts'
import { findMisspelt } from './config/misspelt-settings.ts'
import { loadSecrets } from './config/secrets.ts'
import { StartError } from './config/start-error.ts'
import { describeEntry } from './identity/describe-entry.ts'
import { HOME, PROGRAM_EXTENSION, ROOT } from './installation.ts'
import { supervisePostgres } from './postgres/supervised-postgres.ts'
import { loadSharedSecret, prepareDatabase } from './prepare-database.ts'
import { reportReady, stopForNextVersion, whenNamed } from './process/launcher.ts'
import { notifyReady } from './process/service-manager.ts'
import { stopSignal } from './process/stop-signal.ts'
import { findCertificateProblem, untilFirstCertificate } from './tls/certificate-problem.ts'

/** How long a stop during the start waits for it: the database may not respond, or another node may be migrating it. */
const START_TIMEOUT_MS = 5000
/** How long a failed start may take to end by itself. */
const EXIT_TIMEOUT_MS = 1000

/** Starts Parley, and releases everything in the reverse order when stopped, even during the start. */
async function main() {
  const parentPid = process.env['PARLEY_PARENT_PID']
  const { stopped: asked, hurry } = stopSignal(parentPid ? Number(parentPid) : undefined)
  const { stopped, restartIfDue } = stopForNextVersion(HOME, asked)
  // The processes of this node report it.
  process.env['PARLEY_STARTED_AT'] = String(startedAt)
  readDotEnv()
  for (const sentence of findMisspelt(process.env)) console.warn(sentence)
  const config = readConfig(process.env)
  if (!config.rateLimit) console.warn('RATE_LIMIT is off: anyone can guess passwords at full speed.')
  // Needed for files and an obtained certificate, even if the database and the secret are elsewhere.
  if (!config.s3 || config.tls?.source.kind === 'acme') await prepareDataDir(config.dataDir)
  const secrets = config.databaseUrl ? undefined : await loadSecrets(config)
  const postgres = secrets && (await startPostgres(config, secrets.database, stopped))
  try {
    const starting = start(config, config.databaseUrl ?? (postgres?.url as string), secrets?.identity)
    // An aborted start may still fail.
    starting.catch(() => {})
    const started = await Promise.race([starting, stopped.then(() => sleep(START_TIMEOUT_MS))])
    const lost = postgres ? [postgres.lost] : []
    if (started) await run(config, started, Promise.race([stopped, ...lost]), hurry)
  } finally {
    await postgres?.stop()
  }
  restartIfDue()
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

interface Started {
  server: Server
  /** The actual port if 0 was configured. */
  port: number
  /** The names of the migrations that this start ran. */
  migrations: string[]
  databaseUrl: string
  secret: string
}

/** @param embeddedSecret the secret stored with the embedded database */
async function start(config: Config, databaseUrl: string, embeddedSecret: string | undefined): Promise<Started> {
  const secret = embeddedSecret ?? (await loadSharedSecret(config, databaseUrl))
  const migrations = await prepareDatabase(config, databaseUrl, secret, whenNamed())
  const startServer = config.processes === 1 ? startApp : startSeveral
  return { migrations, databaseUrl, secret, ...(await startServer(config, databaseUrl, secret)) }
}

async function startApp(config: Config, databaseUrl: string, secret: string) {
  const { serve } = await import('./serve.ts')
  const app = await serve({ config, databaseUrl, secret })
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

/** Unix time in milliseconds. */
const startedAt = Date.now()

/** Serves until `end`, which resolves with an error if the database was lost. */
async function run(config: Config, started: Started, end: Promise<Error | undefined>, hurry: AbortSignal) {
  const { server, port, migrations } = started
  try {
    // People use it already, while its first certificate is obtained.
    await reportReady({ port, migrations })
    await Promise.race([untilFirstCertificate(config, startedAt).then(() => announce(config, started)), end])
    const lost = await end
    if (lost) throw lost
    await server.drain.run(hurry)
  } finally {
    await server.close()
  }
}

async function announce(config: Config, { port, databaseUrl, secret }: Started) {
  const { host, publicUrl, dataDir, tls } = config
  const scheme = tls ? 'https' : 'http'
  const isWildcard = host === '0.0.0.0' || host === '::'
  const name = isWildcard || isLoopback(host) ? 'localhost' : isIPv6(host) ? `[${host}]` : host
  const here = publicUrl ?? `${scheme}://${name}:${port}`
  const lan = isInContainer() ? undefined : lanAddress()
  const onNetwork = isWildcard && !publicUrl && lan ? `${scheme}://${lan}:${port}` : undefined
  const problem = await findCertificateProblem(config)
  const lines = [
    '',
    `  Parley is ${problem ? 'running' : 'ready'}: ${here}`,
    ...(problem ? [`  ${problem}`] : []),
    ...(onNetwork ? [`  On your network: ${onNetwork}`] : []),
    ...(config.databaseUrl ? [] : [`  Its data is in:  ${dataDir}`]),
    ...(await describeEntry(config, databaseUrl, secret, onNetwork ?? here)),
    '',
  ]
  console.log(lines.join('\n'))
  notifyReady(console.warn)
}

const isLoopback = (host: string) => ['localhost', '127.0.0.1', '::1'].includes(host)

/** Its own address is of no use to people. */
const isInContainer = () => existsSync('/.dockerenv') || existsSync('/run/.containerenv')

const lanAddress = () =>
  Object.values(networkInterfaces())
    .flat()
    .find((net) => net && !net.internal && net.family === 'IPv4')?.address

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
  // What a failed start has opened must not keep it alive.
  setTimeout(() => process.exit(), EXIT_TIMEOUT_MS).unref()
})
