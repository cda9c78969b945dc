import { type Kysely, sql } from 'kysely'

/** The hosted provider's token of a session, which is required to sign out there. */
export async function up(db: Kysely<never>) {
  await sql`
    -- Null for who came in by a password; empty where the token is too long for an address.
    alter table sessions add column "providerToken" text;
  `.execute(db)
}
