import { type Kysely, sql } from 'kysely'

/**
 * Files. A row exists from before the first byte until after the last is removed, so bytes always have a row. It goes from
 * `pending` (uploading) to `ready`, and from either to `gone` (the sweep removes the bytes, then the row).
 */
export async function up(db: Kysely<never>) {
  await sql`
    -- Names this workspace's folder among those that share a disk or a bucket; unlike the epoch, a restored database keeps it.
    alter table workspace add "filesId" uuid not null default gen_random_uuid();

    create table files (
      id uuid primary key,
      "userId" text not null references users,
      -- Null while it is not known yet, and when the channel is gone.
      "channelId" uuid references channels,
      "messageId" uuid references messages on delete set null,
      name text not null,
      type text not null default '',
      size bigint not null default 0,
      -- Null where there is no picture to show.
      width integer,
      height integer,
      "thumbnailSize" integer,
      state text not null default 'pending' check (state in ('pending', 'ready', 'gone')),
      -- Whether others see it: not while it waits for its message.
      "isShown" boolean not null default false,
      "createdAt" timestamptz(3) not null default now(),
      -- While it is pending, moves with the bytes that come.
      "touchedAt" timestamptz(3) not null default now(),
      check (state <> 'ready' or "channelId" is not null),
      check (state = 'ready' or not "isShown")
    );
    create index "files_channel" on files ("channelId", id) where "channelId" is not null;
    create index "files_user" on files ("userId", id);
    create index "files_message" on files ("messageId") where "messageId" is not null;
    create index "files_shown" on files (id) where "isShown";
    create index "files_unsettled" on files (state, "touchedAt") where not "isShown";

    -- [{ id, name, type, size, width, height, thumbnailSize, createdAt }]; the truth is in the table of files.
    alter table messages add files jsonb not null default '[]';
  `.execute(db)
}
