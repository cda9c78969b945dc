import { type Kysely, sql } from 'kysely'

/** Passkeys, and whether the owner demands a second factor from everybody. */
export async function up(db: Kysely<never>) {
  await sql`
    -- In the shape that Better Auth reads (identity/auth.ts names the table).
    create table passkeys (
      id text primary key,
      name text not null check (length(name) between 1 and 80),
      "userId" text not null references users (id) on delete cascade,
      "credentialID" text not null unique check (length("credentialID") <= 1400),
      "publicKey" text not null check (length("publicKey") <= 8192),
      -- Grows to 2^32; the library reads it as a number.
      counter double precision not null,
      "deviceType" text not null,
      "backedUp" boolean not null,
      transports text check (length(transports) <= 200),
      aaguid text,
      "createdAt" timestamptz(3) not null default clock_timestamp(),
      "lastUsedAt" timestamptz(3)
    );
    create index on passkeys ("userId");

    alter table workspace add "demandsSecondFactor" boolean not null default false;
  `.execute(db)
}
