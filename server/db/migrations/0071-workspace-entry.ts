import { type Kysely, sql } from 'kysely'

/**
 * Who may sign up, unless the server's settings say it; whether the owner has completed the first screen; and whether the
 * workspace is filled with the demo, and what belongs to it.
 */
export async function up(db: Kysely<never>) {
  await sql`
    alter table workspace
      add "signUp" text,
      add "isSetUp" boolean not null default false,
      -- Null without a demo, else 'filling', 'filled' or 'greeted' (the owner).
      add demo text
  `.execute(db)
  await sql`update workspace set "isSetUp" = true where "ownerId" is not null`.execute(db)
  await sql`alter table users add "isDemo" boolean not null default false`.execute(db)
  await sql`alter table channels add "isDemo" boolean not null default false`.execute(db)
}
