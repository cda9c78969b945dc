import { type Kysely, sql } from 'kysely'

/** Links to set a new password, and roles that the owner changes. */
export async function up(db: Kysely<never>) {
  await sql`
    -- One per person. Only the hash of the code is stored.
    create table password_resets (
      "userId" text primary key references users (id) on delete cascade,
      "codeHash" text not null unique,
      -- Null: who runs the server.
      "createdBy" text references users (id) on delete cascade,
      "expiresAt" timestamptz(3) not null
    );
    create index on password_resets ("createdBy");

    -- Other nodes notice a new role as they notice a new name. Not that of the first owner, who gets it while signing in.
    create trigger note_role before update on users
      for each row when (new.role <> old.role and new.role <> 'owner') execute function note_change();
  `.execute(db)
}
