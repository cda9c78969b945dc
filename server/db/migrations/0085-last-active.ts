import { type Kysely, sql } from 'kysely'

/** When people were last active. Their sessions are also in use while nobody sits at the page. */
export async function up(db: Kysely<never>) {
  await sql`
    -- Null for those that were only used before this, or by a node that doesn't know it.
    alter table sessions add "lastActiveAt" timestamptz(3);
    alter table seen_people add "activeAt" timestamptz(3);
    create function note_last_active() returns trigger language plpgsql as $$
    begin
      insert into seen_people ("userId", "seenAt", "activeAt")
      select "userId", max("lastUsedAt"), max(coalesce("lastActiveAt", "lastUsedAt"))
      from ended group by "userId" order by "userId"
      on conflict ("userId") do update set "activeAt" =
        greatest(coalesce(seen_people."activeAt", seen_people."seenAt"), excluded."activeAt");
      return null;
    end $$;
    -- By its name it runs before note_last_seen, which does the same for the use of sessions.
    create trigger note_last_active after delete on sessions referencing old table as ended
      for each statement execute function note_last_active();
    create function last_active(person text) returns timestamptz language sql stable as $$
      select greatest(
        (select max(coalesce("lastActiveAt", "lastUsedAt")) from sessions where "userId" = person),
        (select coalesce("activeAt", "seenAt") from seen_people where "userId" = person)
      )
    $$;
  `.execute(db)
}
