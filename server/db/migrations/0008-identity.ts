import { type Kysely, sql } from 'kysely'

/** Invite links, the last use of sessions, counted attempts, and the expiry of signing keys. */
export async function up(db: Kysely<never>) {
  await sql`
    create table invites (
      id uuid primary key,
      -- The link's code is shown once and kept nowhere.
      "codeHash" text not null unique,
      "createdBy" text not null references users on delete cascade,
      "maxUses" integer not null check ("maxUses" > 0),
      uses integer not null default 0,
      "createdAt" timestamptz(3) not null default clock_timestamp(),
      "expiresAt" timestamptz(3) not null,
      "revokedAt" timestamptz(3)
    );
    create index on invites ("createdAt");

    alter table users
      -- The invite by which they came, where sign-up took one.
      add "inviteId" uuid references invites on delete set null,
      -- They were let in as the first person where sign-up is not open; two at once cannot both be.
      add "isFounder" boolean not null default false;
    create unique index "users_founder" on users ("isFounder") where "isFounder";

    -- In the database, so that many who come at once by one link are no more than it takes.
    create function use_invite() returns trigger language plpgsql as $$
    begin
      update invites set uses = uses + 1
        where id = new."inviteId" and uses < "maxUses" and "expiresAt" > clock_timestamp() and "revokedAt" is null;
      if not found then raise exception 'the invite has ended'; end if;
      return new;
    end $$;
    create trigger use_invite before insert on users
      for each row when (new."inviteId" is not null) execute function use_invite();

    alter table sessions add "lastUsedAt" timestamptz(3) not null default clock_timestamp();

    -- One person at a hosted provider is one person here, also when they come twice at once.
    create unique index "accounts_key" on accounts ("providerId", "accountId");

    -- Counted tries, in one statement each: parallel ones and other nodes count too. What a crash forgets is no loss.
    create unlogged table tries (
      key text primary key,
      count integer not null,
      "startedAt" timestamptz(3) not null
    );
    create index on tries ("startedAt");

    update signing_keys set "expiresAt" = now() + interval '30 days' where "expiresAt" is null;
  `.execute(db)
}
