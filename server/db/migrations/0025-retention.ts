import { type Kysely, sql } from 'kysely'

/** Retention rules, holds, and the progress of removing old messages (`server/retention/`). */
export async function up(db: Kysely<never>) {
  await sql`
    -- Null keeps everything.
    alter table workspace add "retentionDays" integer;
    alter table channels
      -- Null follows the workspace, 0 keeps everything.
      add "retentionDays" integer,
      -- What is older has been removed, apart from what was held.
      add "expiredBefore" timestamptz(3),
      -- What the present removal has removed so far; null if there is none.
      add removing jsonb,
      -- The node that removes is alive.
      add "removingSince" timestamptz(3),
      -- The revision of the last removal: who knows an older one reloads.
      add "removedRev" bigint not null default 0;

    create table holds (
      id uuid primary key,
      -- No references: a hold outlives a deletion.
      "channelId" uuid unique,
      "userId" text unique,
      reason text not null default '',
      "createdBy" text not null,
      "createdAt" timestamptz(3) not null default clock_timestamp(),
      check (num_nonnulls("channelId", "userId") = 1)
    );

    -- The number of the first message that a channel got at a time or later, by bisection. Null if there is none.
    create function first_seq_since(channel uuid, moment timestamptz) returns bigint language plpgsql stable as $$
    declare
      low bigint;
      high bigint;
      middle bigint;
      found record;
    begin
      select min(seq), max(seq) + 1 into low, high from messages where "channelId" = channel and "threadId" is null;
      if low is null then return null; end if;
      while low < high loop
        middle := (low + high) / 2;
        select seq, "createdAt" into found from messages
          where "channelId" = channel and "threadId" is null and seq >= middle order by seq limit 1;
        if found.seq is null or found."createdAt" >= moment then high := middle; else low := found.seq + 1; end if;
      end loop;
      return low;
    end $$;
  `.execute(db)
}
