import { type Kysely, sql } from 'kysely'

/** When the workspace was last backed up, and when a node last tried to (`server/backup/`). */
export async function up(db: Kysely<never>) {
  await sql`alter table workspace add "backedUpAt" timestamptz(3), add "backupTriedAt" timestamptz(3)`.execute(db)
}
