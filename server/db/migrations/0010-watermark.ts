import { type Kysely, sql } from 'kysely'

/**
 * Rows whose changes nodes must notice name the transaction that last changed them. A node compares it with the snapshot of its
 * previous poll (`server/changes/watch.ts`), so it notices a change however long the commit took. A trigger sets it, so that no
 * query can forget to.
 */
export async function up(db: Kysely<never>) {
  await sql`
    create function note_change() returns trigger language plpgsql as $$
    begin
      new."changedBy" := pg_current_xact_id();
      return new;
    end $$;

    alter table channels add "changedBy" xid8 not null default pg_current_xact_id();
    create index on channels ("changedBy");
    create trigger note_change before update on channels
      for each row when (new.rev <> old.rev) execute function note_change();
    drop index "channels_changedAt_idx";

    -- A node of the version before, which may still be at work while others are upgraded, reads by this column whose
    -- sockets may hear a channel. Written here, so that it notices what nodes of this version do; the next version drops
    -- it. Without its index: nobody else reads it.
    drop index "channels_selfChangedAt_idx";
    create function note_self_change() returns trigger language plpgsql as $$
    begin
      new."selfChangedAt" := clock_timestamp();
      return new;
    end $$;
    create trigger note_self_change before update on channels
      for each row when (new."selfRev" <> old."selfRev") execute function note_self_change();

    alter table revocations add "changedBy" xid8 not null default pg_current_xact_id();
    create index on revocations ("changedBy");
    drop index "revocations_revokedAt_idx";

    -- Whose access to a channel changed: a person came or went, or, where "userId" is empty, the channel itself was
    -- opened, closed or deleted, or is another for everyone to see: a public one was made or changed. What holds now is asked of memberships and channels; watch.ts removes old rows.
    create table access_changes (
      "channelId" uuid not null,
      "userId" text not null default '',
      "changedBy" xid8 not null default pg_current_xact_id(),
      primary key ("channelId", "userId")
    );
    create index on access_changes ("changedBy");

    create function note_membership() returns trigger language plpgsql as $$
    declare
      moved memberships := coalesce(new, old);
    begin
      insert into access_changes ("channelId", "userId") values (moved."channelId", moved."userId")
        on conflict ("channelId", "userId") do update set "changedBy" = excluded."changedBy";
      return null;
    end $$;
    -- Not where a row goes with its channel, which was deleted long before.
    create trigger note_membership after insert or delete on memberships
      for each row when (pg_trigger_depth() = 0) execute function note_membership();

    create function note_access() returns trigger language plpgsql as $$
    begin
      insert into access_changes ("channelId") values (new.id)
        on conflict ("channelId", "userId") do update set "changedBy" = excluded."changedBy";
      return null;
    end $$;
    create trigger note_access after update on channels
      for each row when (
        new.kind <> old.kind or new."deletedAt" is distinct from old."deletedAt" or (
          new.kind = 'public' and
          (new.name, new.topic, new."ownerId") is distinct from (old.name, old.topic, old."ownerId")
        )
      ) execute function note_access();
    create trigger note_opening after insert on channels
      for each row when (new.kind = 'public') execute function note_access();

    -- Null until somebody takes another name, or is deactivated or let in again.
    alter table users add "changedBy" xid8;
    create index on users ("changedBy");
    create trigger note_change before update on users
      for each row when (
        (new.name, new.username, new."deactivatedAt") is distinct from (old.name, old.username, old."deactivatedAt")
      ) execute function note_change();

    -- Channels whose owner is deactivated are looked for.
    create index "users_deactivated" on users (id) where "deactivatedAt" is not null;
    create index on channels ("ownerId") where "deletedAt" is null;

    -- Emptied by the database when it recovers from a crash, after which it may give out numbers of transactions again.
    create unlogged table lives (
      id uuid not null default gen_random_uuid(),
      "isOnly" boolean primary key default true check ("isOnly")
    );
  `.execute(db)
}
