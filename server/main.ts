import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { DatabaseError } from 'pg'
import { buildApp } from './app.ts'
import { type Config, readConfig, readDotEnv } from './config/config.ts'
import { loadSecrets } from './config/secrets.ts'
import { StartError } from './config/start-error.ts'
import { connectionProblem } from './db/connection-problem.ts'
import { supervisePostgres } from './postgres/supervised-postgres.ts'
import { prepareDatabase } from './prepare-database.ts'
import { stopSignal } from './process/stop-signal.ts'

/** If stopped while starting, wait this long for the start: the database may not respond, or another node may migrate it. */
const START_TIMEOUT_MS = 5000

/** Starts Parley, and releases everything in the reverse order when stopped, even during the start. */
async function main() {
  const { stopped, hurry } = stopSignal()
  readDotEnv()
  const config = readConfig(process.env)
  if (!config.rateLimit) console.warn('RATE_LIMIT is off: anyone can guess passwords at full speed.')
  if (config.signUp === 'open' && !['localhost', '127.0.0.1', '::1'].includes(config.host))
    console.warn('SIGNUP is open: anyone who can reach this address can sign up.')
  const secrets = await loadSecrets(config)
  const postgres = config.databaseUrl ? undefined : await startPostgres(config, secrets.database, stopped)
  try {
    const starting = start(config, config.databaseUrl ?? (postgres?.url as string), secrets.identity)
    // An aborted start may still fail.
    starting.catch(() => {})
    const app = await Promise.race([starting, stopped.then(() => sleep(START_TIMEOUT_MS))])
    if (app) await serve(app, Promise.race([stopped, ...(postgres ? [postgres.lost] : [])]), hurry)
  } finally {
    await postgres?.stop()
  }
  // An aborted start may still wait for the database.
  process.exit()
}

/** Can take minutes if the database recovers; aborted if Parley is stopped meanwhile. */
async function startPostgres({ dataDir }: Config, password: string, stopped: Promise<undefined>) {
  const aborting = new AbortController()
  void stopped.then(() => aborting.abort())
  return supervisePostgres({ dataDir, password, log: console.log, signal: aborting.signal }).catch((error) => {
    if (aborting.signal.aborted) process.exit()
    throw new StartError(error.message)
  })
}

async function start(config: Config, databaseUrl: string, secret: string) {
  await prepareDatabase(config, databaseUrl, secret)
  const app = await buildApp({ config, databaseUrl, secret }).catch((error) => {
    // Other services may be unreachable, too.
    const isOfDatabase = error instanceof DatabaseError
    throw (isOfDatabase && connectionProblem(error, config.databaseConnections.total)) || error
  })
  // An unhandled rejection is a bug, but should not disconnect everyone.
  process.on('unhandledRejection', (error) => app.failed(error))
  await listen(app, config).catch(async (error) => {
    await app.close()
    throw error
  })
  return app
}

/** Serves until `end`, which resolves with an error if the database was lost. */
async function serve(app: FastifyInstance, end: Promise<Error | undefined>, hurry: AbortSignal) {
  try {
    const lost = await end
    if (lost) throw lost
    await app.drain.run(hurry)
  } finally {
    await app.close()
  }
}

async function listen(app: FastifyInstance, { port, host, publicUrl }: Config) {
  await app.listen({ port, host }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw new StartError(`Port ${port} is already in use. Set PORT to another one.`)
    if (error.code === 'EACCES') throw new StartError(`This account may not use port ${port}. Set PORT to another one.`)
    throw error
  })
  // The actual port if 0 was configured.
  const { port: actual } = app.server.address() as AddressInfo
  const lan = host === '0.0.0.0' && !publicUrl ? lanAddress() : undefined
  console.log(`\n  Parley is ready: ${publicUrl ?? `http://localhost:${actual}`}`)
  console.log(lan ? `  On your network: http://${lan}:${actual}\n` : '')
}

const lanAddress = () =>
  Object.values(networkInterfaces())
    .flat()
    .find((net) => net && !net.internal && net.family === 'IPv4')?.address

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
})
