import { type Kysely, sql } from 'kysely'

/** What the workspace is called. `nameVersion` grows with each change, so that every node notices it. */
export async function up(db: Kysely<never>) {
  await sql`
    alter table workspace
      add name text not null default 'Parley',
      add "nameVersion" integer not null default 0
  `.execute(db)
}
