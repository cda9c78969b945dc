import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { buildApp } from './app.ts'
import { type Config, ConfigError, readConfig, readDotEnv } from './config.ts'
import { openDatabase } from './db/database.ts'
import { startEmbeddedPostgres } from './db/embedded-postgres.ts'
import { migrate } from './db/migrate.ts'
import { keepSecrets } from './secrets.ts'

/** Starts Parley, and lets go in the reverse order when asked to stop. */
async function main() {
  readDotEnv()
  const config = readConfig(process.env)
  const secrets = await keepSecrets(config.dataDir)
  const postgres = config.databaseUrl
    ? undefined
    : await startEmbeddedPostgres({ dataDir: config.dataDir, password: secrets.database, log: console.log })
  try {
    const databaseUrl = config.databaseUrl ?? (postgres?.url as string)
    await migrateAt(databaseUrl)
    const app = await buildApp({ config, databaseUrl, secret: secrets.identity })
    await app.listen({ port: config.port, host: config.host })
    // Port 0 asks the system for a free one.
    console.log(greeting({ ...config, port: (app.server.address() as AddressInfo).port }))
    const lost = await Promise.race([stopSignal(), postgres?.exited ?? new Promise<undefined>(() => {})])
    if (lost) app.log.fatal({ err: lost }, 'the database is gone')
    await app.close()
    if (lost) process.exitCode = 1
  } finally {
    await postgres?.stop()
  }
}

async function migrateAt(databaseUrl: string) {
  const db = openDatabase(databaseUrl, console.error)
  await migrate(db)
  await db.destroy()
}

function greeting({ port, host, publicUrl }: Config) {
  const address = publicUrl ?? `http://localhost:${port}`
  const lan = host === '0.0.0.0' && !publicUrl ? lanAddress() : undefined
  return `\n  Parley is ready: ${address}${lan ? `\n  On your network: http://${lan}:${port}` : ''}\n`
}

const lanAddress = () =>
  Object.values(networkInterfaces())
    .flat()
    .find((net) => net && !net.internal && net.family === 'IPv4')?.address

function stopSignal() {
  return new Promise<undefined>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve(undefined))
  })
}

main().catch((error) => {
  console.error(error instanceof ConfigError ? error.message : error)
  process.exitCode = 1
})
