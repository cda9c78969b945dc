// Migrates the database of DATABASE_URL with an account that may change its tables.
import { readConfig, readDotEnv } from '../server/config/config.ts'
import { StartError } from '../server/config/start-error.ts'
import { connectionProblem, requirePrimary } from '../server/db/connection-problem.ts'
import { openDatabase } from '../server/db/database.ts'
import { migrate } from '../server/db/migrate.ts'

async function main() {
  readDotEnv()
  const { databaseUrl, databaseConnections } = readConfig(process.env)
  if (!databaseUrl) throw new StartError('DATABASE_URL is missing: the embedded database is migrated at each start.')
  const { db } = openDatabase(databaseUrl, { onError: console.error, timeoutMs: 0 })
  try {
    await requirePrimary(db)
    await migrate(db, { log: console.log })
  } catch (error) {
    throw connectionProblem(error, databaseConnections.total) ?? error
  } finally {
    await db.destroy()
  }
  console.log('The database is up to date.')
}

main().catch((error) => {
  console.error(error instanceof StartError ? error.message : error)
  process.exitCode = 1
})
