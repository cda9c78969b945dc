// Migrates the database of DATABASE_URL, with an account that may change its tables.
import { migrateWithSnapshot } from '../server/backup/snapshots.ts'
import { StartError } from '../server/config/start-error.ts'
import { requirePrimary } from '../server/db/connection-problem.ts'
import { openDatabase } from '../server/db/database.ts'
import { migrate } from '../server/db/migrate.ts'
import { runCommand } from './run-command.ts'

await runCommand({}, async (config) => {
  const { databaseUrl } = config
  if (!databaseUrl) throw new StartError('DATABASE_URL is missing: the embedded database is migrated at each start.')
  const { db } = openDatabase(databaseUrl, { onError: console.error, timeoutMs: 0 })
  try {
    await requirePrimary(db)
    await migrateWithSnapshot({ db, databaseUrl, config, log: console.log }, () => migrate(db, { log: console.log }))
  } finally {
    await db.destroy()
  }
  console.log('The database is up to date.')
})
