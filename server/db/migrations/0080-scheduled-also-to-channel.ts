import { type Kysely, sql } from 'kysely'

/** Whether a scheduled reply is quoted in its channel as well. */
export async function up(db: Kysely<never>) {
  await sql`alter table scheduled_messages add "alsoToChannel" boolean not null default false`.execute(db)
}
