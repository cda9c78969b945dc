import { type Kysely, sql } from 'kysely'

/** Handovers of the workspace, and the devices that people signed in with. */
export async function up(db: Kysely<never>) {
  await sql`
    -- The owner has asked somebody to take over; at most one at a time.
    create table handovers (
      id uuid primary key,
      "fromId" text not null references users (id) on delete cascade,
      "toId" text not null references users (id) on delete cascade,
      "createdAt" timestamptz(3) not null default clock_timestamp(),
      "expiresAt" timestamptz(3) not null
    );
    create unique index handovers_one on handovers ((true));
    create index on handovers ("fromId");
    create index on handovers ("toId");

    -- Browsers by the hash of a cookie that stays after signing out.
    create table known_devices (
      "userId" text not null references users (id) on delete cascade,
      "deviceHash" text not null,
      "firstSeenAt" timestamptz(3) not null default clock_timestamp(),
      "lastSeenAt" timestamptz(3) not null default clock_timestamp(),
      primary key ("userId", "deviceHash")
    );
    create index on known_devices ("lastSeenAt");

    -- Whether a session was the first of its device, other than the person's first device.
    alter table sessions add "isNewDevice" boolean not null default false;
  `.execute(db)
}
