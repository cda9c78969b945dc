import { type Kysely, sql } from 'kysely'
import { v7 as uuid } from 'uuid'

/** Threads, reactions, mentions, read cursors, direct messages, status emojis, and the public bucket's channel. */
export async function up(db: Kysely<never>) {
  await sql`
    alter table users
      add "statusEmoji" text not null default '😊',
      add "deactivatedAt" timestamptz(3);

    alter table channels
      -- Of a direct message: its people's ids in order, which make it the only one of them.
      add "directKey" text unique,
      add "lastMessageAt" timestamptz(3),
      -- When the channel itself changed last: each node looks here whose sockets it must let in or put out.
      add "selfChangedAt" timestamptz(3) not null default now();
    update channels c set "lastMessageAt" = m."createdAt" from messages m where m."channelId" = c.id and m.seq = c.seq;
    create index on channels ("selfChangedAt");
    create index on channels ("deletedAt") where "deletedAt" is not null;

    alter table memberships
      -- Moves when something is marked unread.
      add "readVersion" bigint not null default 0,
      add muted boolean not null default false;

    -- What a page shows of a message stands in its row, so that a page is one walk of an index.
    alter table messages
      -- Of a reply its parent; its seq then counts within the thread.
      add "threadId" uuid references messages on delete cascade,
      -- [{ userId, username }], the username as the text has it
      add mentions jsonb not null default '[]',
      add broadcast text check (broadcast in ('channel', 'here')),
      -- [{ emoji, count, userIds }], the first ones first; the truth is in the table of reactions
      add reactions jsonb not null default '[]',
      -- Of a parent: the number of the newest reply.
      add "threadSeq" bigint not null default 0,
      add "replyCount" integer not null default 0,
      add "lastReplyAt" timestamptz(3),
      add "lastRepliers" text[] not null default '{}';
    alter table messages drop constraint "messages_channelId_seq_key";
    create unique index "messages_place" on messages ("channelId", seq) where "threadId" is null;
    create unique index "messages_threadPlace" on messages ("threadId", seq) where "threadId" is not null;

    create table reactions (
      "messageId" uuid not null references messages on delete cascade,
      emoji text not null,
      "userId" text not null references users on delete cascade,
      "createdAt" timestamptz(3) not null default clock_timestamp(),
      primary key ("messageId", emoji, "userId")
    );

    -- Whom a message mentions, for counting: a row for each person, and one where it means all.
    create table mentions (
      "messageId" uuid not null references messages on delete cascade,
      "channelId" uuid not null,
      "threadId" uuid,
      seq bigint not null,
      "authorId" text not null,
      -- Null: all members, or those of the audience.
      "userId" text,
      audience text[]
    );
    create index on mentions ("messageId");
    create index "mentions_personal" on mentions ("userId", "channelId", seq) where "userId" is not null;
    create index "mentions_all" on mentions ("channelId", seq) where "userId" is null;
    create index "mentions_thread" on mentions ("threadId", seq) where "threadId" is not null;

    create table thread_follows (
      "threadId" uuid not null references messages on delete cascade,
      "userId" text not null references users on delete cascade,
      -- False: they said that they follow it no more.
      "isFollowing" boolean not null default true,
      "lastReadSeq" bigint not null default 0,
      "readVersion" bigint not null default 0,
      primary key ("threadId", "userId")
    );
    create index on thread_follows ("userId");

    insert into channels (id, kind, name) values (${sql.lit(uuid())}, 'public', 'public-files');
  `.execute(db)
}
