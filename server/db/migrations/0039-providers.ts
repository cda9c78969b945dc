import { type Kysely, sql } from 'kysely'

/** Sign-outs at the hosted provider, and people managed by its directory (SCIM). */
export async function up(db: Kysely<never>) {
  await sql`
    -- The provider's own session that a session began with.
    alter table sessions add "providerSid" text;
    create index on sessions ("providerSid") where "providerSid" is not null;

    -- Hashes of the logout tokens that were used lately: each counts once, on whichever node.
    create table logout_tokens (
      id text primary key,
      "expiresAt" timestamptz(3) not null
    );
    create index on logout_tokens ("expiresAt");

    create table provisioning_tokens (
      id uuid primary key,
      name text not null check (length(name) between 1 and 80),
      -- Only the hash of the token is stored.
      "tokenHash" text not null unique,
      "createdBy" text references users (id) on delete set null,
      "createdAt" timestamptz(3) not null default clock_timestamp(),
      "lastUsedAt" timestamptz(3),
      "revokedAt" timestamptz(3)
    );
    create index on provisioning_tokens ("createdBy");

    create table provided_people (
      "userId" text primary key references users (id) on delete cascade,
      -- The directory's own id of the person, and the name by which it knows them.
      "externalId" text unique check (length("externalId") <= 255),
      "userName" text not null check (length("userName") <= 255),
      "givenName" text check (length("givenName") <= 255),
      "familyName" text check (length("familyName") <= 255),
      "createdAt" timestamptz(3) not null default clock_timestamp(),
      "updatedAt" timestamptz(3) not null default clock_timestamp(),
      -- The directory has deleted them: to it they no longer exist.
      "deletedAt" timestamptz(3)
    );
    create unique index on provided_people (lower("userName"));
  `.execute(db)
}
