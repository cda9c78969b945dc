import { readdir } from 'node:fs/promises'
import { type Migration, Migrator } from 'kysely/migration'
import type { Db } from './database.ts'

const folder = new URL('./migrations/', import.meta.url)

/** Runs the migrations that were not run yet, under a lock, so that concurrent starts are safe. */
export async function migrate(db: Db) {
  const migrator = new Migrator({
    db,
    provider: { getMigrations },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migrations_lock',
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}

async function getMigrations() {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.ts')).sort()
  const migrations = await Promise.all(
    files.map(
      async (file) => [file.replace(/\.ts$/, ''), (await import(new URL(file, folder).href)) as Migration] as const,
    ),
  )
  return Object.fromEntries(migrations)
}
