import { type Kysely, sql } from 'kysely'

/** How long the last backup took, its size, and why the last attempt failed: null if it didn't (`server/backup/`). */
export async function up(db: Kysely<never>) {
  await sql`
    alter table workspace add "backupSeconds" real, add "backupBytes" bigint, add "backupFailure" text
  `.execute(db)
}
