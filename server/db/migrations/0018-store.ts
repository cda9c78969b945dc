import { type Kysely, sql } from 'kysely'

/** Identifies the file store that all nodes share; see server/files/store-check.ts. */
export async function up(db: Kysely<never>) {
  // Null until the first node of this version starts.
  await sql`alter table workspace add "storeId" text`.execute(db)
}
