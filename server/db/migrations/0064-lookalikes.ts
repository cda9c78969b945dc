import { type Kysely, sql } from 'kysely'

/**
 * The look of names (`server/text/lookalike-names.ts`), so that lookalikes are found in one lookup. Null if a node of an earlier
 * version wrote the name; nodes fill that in at startup (`server/people/looks.ts`).
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
    -- Those who are deactivated are nobody's namesakes.
    create index "users_nameLook" on users ("nameLook") where "deactivatedAt" is null;
    create index "users_withoutLook" on users ("createdAt", id) where "usernameLook" is null;
    create index "groups_usernameLook" on groups ("usernameLook");

    -- Of two that look the same and are stored at once, the second is refused. Nodes of an earlier version store no looks.
    create function keep_looks_apart() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock(hashtext('username look'), hashtext(new."usernameLook"));
      if exists (select from users u where u."usernameLook" = new."usernameLook" and u.id <> new.id::text)
        or exists (select from groups g where g."usernameLook" = new."usernameLook" and g.id::text <> new.id::text) then
        raise unique_violation using constraint = tg_table_name || '_username_key', message = 'another looks the same';
      end if;
      return new;
    end $$;
    create trigger keep_looks_apart_on_insert before insert on users
      for each row when (new."usernameLook" is not null) execute function keep_looks_apart();
    create trigger keep_looks_apart_on_update before update of username on users
      for each row when (new.username is distinct from old.username and new."usernameLook" is not null)
      execute function keep_looks_apart();
    create trigger keep_looks_apart before insert or update of username on groups
      for each row when (new."usernameLook" is not null) execute function keep_looks_apart();
  `.execute(db)
}
