import { type Kysely, sql } from 'kysely'

/** The language a user reads Parley in; null for their browser's. */
export async function up(db: Kysely<never>) {
  await sql`alter table users add language text`.execute(db)
}
