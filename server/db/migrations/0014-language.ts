import { type Kysely, sql } from 'kysely'

/** The language of a user's interface; null for the browser's. */
export async function up(db: Kysely<never>) {
  await sql`alter table users add language text`.execute(db)
}
