import { type Kysely, sql } from 'kysely'

/** Away, do not disturb and invisible, as people set them. */
export async function up(db: Kysely<never>) {
  await sql`
    alter table users
      -- Or 'away', 'quiet' (do not disturb) or 'invisible'.
      add availability text not null default 'active',
      -- Until when somebody is quiet; 'quiet' means nothing after it.
      add "quietUntil" timestamptz(3),
      add "availabilityChangedBy" xid8;
    create index on users ("availabilityChangedBy");
    create index on users ("quietUntil") where availability = 'quiet';
    create index "users_invisible" on users (id) where availability = 'invisible';

    -- Every node keeps who is invisible, and tells the person's own devices.
    create function note_availability() returns trigger language plpgsql as $$
    begin
      new."availabilityChangedBy" := pg_current_xact_id();
      return new;
    end $$;
    create trigger note_availability before update on users for each row when (
      (new.availability, new."quietUntil") is distinct from (old.availability, old."quietUntil")
    ) execute function note_availability();

    -- Others hear only of what they see: whether somebody is invisible is not part of it.
    create trigger note_shown_availability before update on users for each row when (
      (case when new.availability in ('away', 'quiet') then new.availability end,
       case when new.availability = 'quiet' then new."quietUntil" end)
      is distinct from
      (case when old.availability in ('away', 'quiet') then old.availability end,
       case when old.availability = 'quiet' then old."quietUntil" end)
    ) execute function note_emoji();
  `.execute(db)
}
