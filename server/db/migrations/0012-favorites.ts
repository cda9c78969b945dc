import { type Kysely, sql } from 'kysely'

/** A member's favorite channels. */
export async function up(db: Kysely<never>) {
  await sql`alter table memberships add "isFavorite" boolean not null default false`.execute(db)
}
