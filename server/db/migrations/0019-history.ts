import { type Kysely, sql } from 'kysely'

/** The history of the database that the workspace's epoch belongs to; see server/db/history.ts. */
export async function up(db: Kysely<never>) {
  await sql`alter table workspace add history text`.execute(db)
}
