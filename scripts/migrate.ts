// Migrates the database, with an account that may change its tables: for nodes that don't (MIGRATE=off), or again after a rollback.
import { migrateWithSnapshot } from '../server/backup/snapshots.ts'
import { requirePrimary } from '../server/db/connection-problem.ts'
import { openDatabase } from '../server/db/database.ts'
import { migrate } from '../server/db/migrate.ts'
import { openPostgres } from './open-postgres.ts'
import { runCommand } from './run-command.ts'

await runCommand({}, async (config) => {
  const { url: databaseUrl, stop } = await openPostgres(config)
  const { db } = openDatabase(databaseUrl, { onError: console.error, timeoutMs: 0 })
  try {
    await requirePrimary(db)
    const options = { db, databaseUrl, config, namedAt: undefined, log: console.log }
    const migrations = await migrateWithSnapshot(options, () => migrate(db, { log: console.log }))
    if (migrations.length > 0) console.log(`Migrated the database: ${migrations.join(', ')}.`)
  } finally {
    await db.destroy()
    await stop()
  }
  console.log('The database is up to date.')
})
