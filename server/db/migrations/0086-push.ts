import { type Kysely, sql } from 'kysely'

/** Web Push: the browsers that subscribed, the notifications to deliver, and the messages that may cause some. */
export async function up(db: Kysely<never>) {
  await sql`
    create table push_subscriptions (
      id uuid primary key,
      -- Nothing is delivered once it has ended.
      "sessionId" text not null unique references sessions on delete cascade,
      "userId" text not null references users on delete cascade,
      -- The address at its push service. Whoever knows it and the private key could notify the browser.
      endpoint text not null unique,
      -- The browser's public key and secret, for encryption.
      p256dh text not null,
      auth text not null,
      -- The server's public key that the browser subscribed with.
      "publicKey" text not null,
      "hidesText" boolean not null default false,
      "createdAt" timestamptz(3) not null default clock_timestamp(),
      -- Since when every delivery failed, and how many did.
      "failingSince" timestamptz(3),
      failures integer not null default 0,
      -- Nothing is sent before.
      "retryAt" timestamptz(3),
      -- Until then, one node sends to it.
      "claimedUntil" timestamptz(3)
    );
    create index on push_subscriptions ("userId");

    -- A queue, and afterwards the log of each subscription.
    create table pushes (
      id uuid primary key,
      "subscriptionId" uuid not null references push_subscriptions on delete cascade,
      -- Of one of these; none for a test.
      "messageId" uuid,
      "itemId" uuid,
      -- Why the message notified (contract/notification-rule.ts).
      rule text,
      "createdAt" timestamptz(3) not null default now(),
      "dueAt" timestamptz(3) not null default now(),
      attempts integer not null default 0,
      "finishedAt" timestamptz(3),
      -- contract/push.ts
      outcome text,
      status integer,
      detail text
    );
    create index pushes_due on pushes ("dueAt") where "finishedAt" is null;
    create index on pushes ("subscriptionId", "finishedAt");
    create index on pushes ("messageId");

    -- Messages for which nobody has decided yet whom they notify. Nodes of the previous version, which don't know this, write
    -- messages as well. Imported messages are older.
    create table push_candidates ("messageId" uuid primary key);
    create function note_push_candidates() returns trigger language plpgsql as $$
    begin
      if exists (select from push_subscriptions) then
        insert into push_candidates
        select id from added where "createdAt" > clock_timestamp() - interval '5 minutes' on conflict do nothing;
      end if;
      return null;
    end $$;
    create trigger note_push_candidates after insert on messages referencing new table as added
      for each statement execute function note_push_candidates();

    -- Whom every message of a channel notifies.
    create index memberships_everything on memberships ("channelId") where "notificationLevel" = 'everything';
    create index notification_settings_everything on notification_settings ("userId") where level = 'everything';
  `.execute(db)
}
