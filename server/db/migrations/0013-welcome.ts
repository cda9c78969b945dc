import { type Kysely, sql } from 'kysely'

/** Newcomers are shown their first steps until they complete or close them; existing users are not. */
export async function up(db: Kysely<never>) {
  await sql`alter table users add "isWelcomed" boolean not null default true`.execute(db)
  await sql`alter table users alter "isWelcomed" set default false`.execute(db)
}
