import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'

/** Channels, memberships and messages. docs/subsystems/sync.md explains the numbers. */
export async function up(db: Kysely<never>) {
  await sql`
    create table channels (
      id uuid primary key,
      kind text not null check (kind in ('public', 'private', 'direct')),
      name text not null,
      topic text not null default '',
      "ownerId" text references users on delete set null,
      "memberCount" integer not null default 0,
      seq bigint not null default 0,
      rev bigint not null default 0,
      -- The rev at which the channel itself changed last (its name, topic, members), not a message in it.
      "selfRev" bigint not null default 0,
      "createdAt" timestamptz(3) not null default now(),
      "changedAt" timestamptz(3) not null default now(),
      "deletedAt" timestamptz(3)
    );
    create unique index "channels_liveName" on channels (lower(name)) where "deletedAt" is null and kind <> 'direct';
    create index on channels ("changedAt");

    create table memberships (
      "channelId" uuid not null references channels on delete cascade,
      "userId" text not null references users on delete cascade,
      "joinedAt" timestamptz(3) not null default now(),
      "lastReadSeq" bigint not null default 0,
      primary key ("channelId", "userId")
    );
    create index on memberships ("userId", "channelId");

    create table messages (
      id uuid primary key,
      "channelId" uuid not null references channels on delete cascade,
      "userId" text not null references users,
      content text not null,
      "clientId" text,
      seq bigint not null,
      rev bigint not null,
      "createdAt" timestamptz(3) not null default now(),
      "updatedAt" timestamptz(3) not null default now(),
      "editedAt" timestamptz(3),
      -- A deleted message keeps its place, without its text.
      "deletedAt" timestamptz(3),
      unique ("channelId", seq),
      unique ("userId", "clientId")
    );
    create index on messages ("channelId", rev);

    create table workspace (
      id boolean primary key default true check (id),
      -- New with each creation of the database: tells browsers that what they cached is of another one.
      epoch uuid not null default gen_random_uuid(),
      "ownerId" text references users on delete set null,
      -- Moves with every name that stands in messages: pages encoded under another one are stale.
      "peopleVersion" bigint not null default 1,
      -- The channel everyone is in from their first minute.
      "generalId" uuid not null references channels
    );
  `.execute(db)

  const generalId = uuid()
  await sql`
    with general as (
      insert into channels (id, kind, name, topic)
      values (${generalId}, 'public', 'general', 'Everyone is here. Say hello.') returning id
    )
    insert into workspace ("generalId") select id from general
  `.execute(db)
}
