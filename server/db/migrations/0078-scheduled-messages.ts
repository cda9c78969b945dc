import { type Kysely, sql } from 'kysely'

/**
 * Messages that are sent at a time. A row is deleted by the transaction that sends its message; if the message is refused, the row
 * says why. Channels and parents are no foreign keys: the text stays when they are gone. `nextTryAt` is the time of the next
 * attempt.
 */
export async function up(db: Kysely<never>) {
  await sql`
    create table scheduled_messages (
      id uuid primary key,
      "userId" text not null references users on delete cascade,
      "channelId" uuid not null,
      "channelName" text,
      "threadId" uuid,
      content text not null,
      "clientId" text not null,
      -- In the order they were attached.
      "fileIds" uuid[] not null default '{}',
      rev integer not null default 1,
      "createdAt" timestamptz(3) not null default clock_timestamp(),
      "sendAt" timestamptz(3) not null,
      "nextTryAt" timestamptz(3) not null,
      -- { code, reason, values }
      failure jsonb
    );
    create unique index scheduled_messages_key on scheduled_messages ("userId", "clientId");
    create index scheduled_messages_channel on scheduled_messages ("channelId", "sendAt") where failure is null;
    create index scheduled_messages_due on scheduled_messages ("nextTryAt") where failure is null;

    -- The scheduled message that the file waits with: it is not unsent. No foreign key, which would be a new rule for old versions.
    alter table files add "scheduledId" uuid;
    create index files_scheduled on files ("scheduledId") where "scheduledId" is not null;
  `.execute(db)
}
