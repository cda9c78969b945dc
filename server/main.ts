import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.ts'
import { type Config, readConfig, readDotEnv } from './config/config.ts'
import { loadOrCreateSecrets } from './config/secrets.ts'
import { StartError } from './config/start-error.ts'
import { openDatabase } from './db/database.ts'
import { migrate } from './db/migrate.ts'
import { supervisePostgres } from './postgres/supervised-postgres.ts'
import { stopSignal } from './process/stop-signal.ts'

/** How long a start that is asked to stop may take until it can; a database may not answer, or another node hold it. */
const START_GIVEN_UP_MS = 5000

/** Starts Parley, and lets go in the reverse order when asked to stop, also when that happens during the start. */
async function main() {
  const stopped = stopSignal()
  readDotEnv()
  const config = readConfig(process.env)
  if (!config.rateLimit) console.warn('RATE_LIMIT is off: anyone can guess passwords at full speed.')
  if (config.signUp === 'open' && !['localhost', '127.0.0.1', '::1'].includes(config.host))
    console.warn('SIGNUP is open: anyone who can reach this address can sign up.')
  const secrets = await loadOrCreateSecrets(config.dataDir)
  const postgres = config.databaseUrl ? undefined : await startPostgres(config, secrets.database, stopped)
  try {
    const starting = start(config, config.databaseUrl ?? (postgres?.url as string), secrets.identity)
    // Failures of a start that was given up are nobody's any more.
    starting.catch(() => {})
    const app = await Promise.race([starting, stopped.then(() => sleep(START_GIVEN_UP_MS))])
    if (app) await serve(app, Promise.race([stopped, ...(postgres ? [postgres.lost] : [])]))
  } finally {
    await postgres?.stop()
  }
  // A start that was given up may still wait for a database.
  process.exit()
}

/** A database that recovers may take minutes, and is stopped too when Parley is asked to. */
async function startPostgres({ dataDir }: Config, password: string, stopped: Promise<undefined>) {
  const givenUp = new AbortController()
  void stopped.then(() => givenUp.abort())
  return supervisePostgres({ dataDir, password, log: console.log, signal: givenUp.signal }).catch((error) => {
    if (givenUp.signal.aborted) process.exit()
    throw new StartError(error.message)
  })
}

async function start(config: Config, databaseUrl: string, secret: string) {
  await migrateAt(databaseUrl)
  const app = await buildApp({ config, databaseUrl, secret })
  // A failure that nobody waited for is a fault of ours, and no reason to end what everybody else is doing.
  process.on('unhandledRejection', (error) => app.failed(error))
  await listen(app, config).catch(async (error) => {
    await app.close()
    throw error
  })
  return app
}

/** Until the end, which is an error where it is not what was asked for. */
async function serve(app: FastifyInstance, end: Promise<Error | undefined>) {
  try {
    const lost = await end
    if (lost) throw lost
  } finally {
    await app.close()
  }
}

async function migrateAt(databaseUrl: string) {
  // A migration may take as long as it takes, also waiting for another node's.
  const { db } = openDatabase(databaseUrl, { onError: console.error, patience: 0 })
  await migrate(db).finally(() => db.destroy())
}

async function listen(app: FastifyInstance, { port, host, publicUrl }: Config) {
  await app.listen({ port, host }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'EADDRINUSE') throw new StartError(`PORT ${port} is already in use; choose another.`)
    if (error.code === 'EACCES')
      throw new StartError(`This account is not allowed to use PORT ${port}; choose another.`)
    throw error
  })
  // Port 0 asked the system for a free one.
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
