import { type Kysely, sql } from 'kysely'

/**
 * The version of Parley that last started on a schema of its own, by which a rollback names the one to go back to, and the last
 * migration of that schema: another one means that an upgrade has begun since, but not ended.
 */
export async function up(db: Kysely<never>) {
  await sql`alter table workspace add version text, add "versionSchema" text`.execute(db)
}
