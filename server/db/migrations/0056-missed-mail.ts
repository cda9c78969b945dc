import { type Kysely, sql } from 'kysely'

/** Mail about missed messages: the rules, what was mailed, and when people were last active. */
export async function up(db: Kysely<never>) {
  await sql`
    -- What somebody chose; what is not named is as by default (contract/mail-rules.ts).
    create table mail_rules (
      "userId" text not null references users on delete cascade,
      rule text not null,
      "isOn" boolean not null,
      -- Of the digest: when the next one is due.
      "dueAt" timestamptz(3),
      primary key ("userId", rule)
    );
    create index on mail_rules ("dueAt") where rule = 'digest' and "isOn";

    -- One mail per conversation until somebody was there again.
    create table missed_mails (
      "userId" text not null references users on delete cascade,
      -- A channel, or the parent of a thread.
      "conversationId" uuid not null,
      "mailedAt" timestamptz(3) not null default clock_timestamp(),
      primary key ("userId", "conversationId")
    );

    -- Up to which message everything was looked at; the lock on its row makes one node do it.
    create table missed_cursor (
      id boolean primary key default true check (id),
      "lastId" uuid not null
    );

    -- When people were last there, of sessions that have ended.
    create table seen_people (
      "userId" text primary key,
      "seenAt" timestamptz(3) not null
    );
    create function note_last_seen() returns trigger language plpgsql as $$
    begin
      insert into seen_people ("userId", "seenAt")
      select "userId", max("lastUsedAt") from ended group by "userId" order by "userId"
      on conflict ("userId") do update set "seenAt" = greatest(seen_people."seenAt", excluded."seenAt");
      return null;
    end $$;
    create trigger note_last_seen after delete on sessions referencing old table as ended
      for each statement execute function note_last_seen();
    create function last_seen(person text) returns timestamptz language sql stable as $$
      select greatest(
        (select max("lastUsedAt") from sessions where "userId" = person),
        (select "seenAt" from seen_people where "userId" = person)
      )
    $$;
  `.execute(db)
}
