import { type Kysely, sql } from 'kysely'

/**
 * Accounts deleted by their owners. The row stays, because messages refer to it, but everything that identifies the person is
 * erased (`server/people/erase-account.ts`). It is deactivated as well, for nodes of the previous version.
 */
export async function up(db: Kysely<never>) {
  await sql`
    -- When somebody deleted their account.
    alter table users add "erasedAt" timestamptz(3);
    create index "users_erased" on users (id) where "erasedAt" is not null;

    -- Nobody comes back to it, and no directory writes into it again, whichever version of a node tries.
    create function keep_erased() returns trigger language plpgsql as $$
    begin
      new."erasedAt" := old."erasedAt";
      new."deactivatedAt" := old."deactivatedAt";
      new.name := old.name;
      new.username := old.username;
      new.email := old.email;
      return new;
    end $$;
    -- By its name before the triggers that note changes.
    create trigger keep_erased before update on users
      for each row when (old."erasedAt" is not null) execute function keep_erased();

    -- One line says what happened: not that somebody deactivated themselves.
    create function name_deletion() returns trigger language plpgsql as $$
    begin
      if exists (select from users where id = new."personId" and "erasedAt" is not null) then
        new.kind := 'account_deleted';
        new."actorId" := new."personId";
        new."personId" := null;
      end if;
      return new;
    end $$;
    create trigger name_deletion before insert on audit_log
      for each row when (new.kind = 'person_deactivated') execute function name_deletion();
  `.execute(db)
}
