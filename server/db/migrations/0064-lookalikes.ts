import { type Kysely, sql } from 'kysely'

/**
 * How names look (`server/text/lookalike-names.ts`), so that a name that looks the same is found in one lookup. Null where a
 * node of an earlier version has written the name; nodes fill that in when they start (`server/people/looks.ts`).
 */
export async function up(db: Kysely<never>) {
  await sql`
    alter table users
      add "usernameLook" text,
      add "nameLook" text,
      -- Whether somebody else who was active already looked the same when the person took their name.
      add "isNamesake" boolean not null default false;
    alter table groups add "usernameLook" text;

    -- Not unique: names from before may look the same.
    create index "users_usernameLook" on users ("usernameLook");
    create index "users_nameLook" on users ("nameLook");
    create index "users_withoutLook" on users ("createdAt", id) where "usernameLook" is null;
    create index "groups_usernameLook" on groups ("usernameLook");
  `.execute(db)
}
