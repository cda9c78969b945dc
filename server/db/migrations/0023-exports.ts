import { type Kysely, sql } from 'kysely'

/** Requested exports and their archives. */
export async function up(db: Kysely<never>) {
  await sql`
    create table exports (
      id uuid primary key,
      "userId" text not null references users,
      scope text not null check (scope in ('mine', 'channel', 'workspace')),
      -- No reference: the channel may be purged while its archive is kept.
      "channelId" uuid check (("channelId" is not null) = (scope = 'channel')),
      state text not null default 'queued' check (state in ('queued', 'running', 'done', 'failed')),
      -- The archive of the current attempt: a node that was given up writes another one.
      "archiveId" uuid,
      attempts integer not null default 0,
      messages bigint not null default 0,
      total bigint not null default 0,
      size bigint,
      "createdAt" timestamptz(3) not null default clock_timestamp(),
      -- The node that writes it is alive.
      "touchedAt" timestamptz(3) not null default clock_timestamp(),
      "finishedAt" timestamptz(3),
      "expiresAt" timestamptz(3)
    );
    create index on exports ("userId", "createdAt");
    create index on exports (state, "createdAt");
    -- One at a time per person.
    create unique index "exports_oneLive" on exports ("userId") where state in ('queued', 'running');
  `.execute(db)
}
