import { type Kysely, sql } from 'kysely'

/** Signing out of Parley signs out of the hosted provider, too: it wants to see the token by which somebody came in. */
export async function up(db: Kysely<never>) {
  await sql`
    -- Null for who came in by a password; empty where the token is too long for an address.
    alter table sessions add column "providerToken" text;
  `.execute(db)
}
