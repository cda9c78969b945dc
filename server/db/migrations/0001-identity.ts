import { type Kysely, sql } from 'kysely'

/** Users and their sessions, in the form that Better Auth reads and writes (`identity/auth.ts` names the tables). */
export async function up(db: Kysely<never>) {
  await sql`
    create table users (
      id text primary key,
      name text not null,
      email text not null unique,
      "emailVerified" boolean not null default false,
      image text,
      username text not null unique,
      "displayUsername" text,
      role text not null default 'member' check (role in ('owner', 'admin', 'member')),
      "createdAt" timestamptz(3) not null default now(),
      "updatedAt" timestamptz(3) not null default now()
    );

    create table sessions (
      id text primary key,
      "userId" text not null references users on delete cascade,
      token text not null unique,
      "expiresAt" timestamptz(3) not null,
      "ipAddress" text,
      "userAgent" text,
      "createdAt" timestamptz(3) not null default now(),
      "updatedAt" timestamptz(3) not null default now()
    );
    create index on sessions ("userId");

    create table accounts (
      id text primary key,
      "userId" text not null references users on delete cascade,
      "accountId" text not null,
      "providerId" text not null,
      "accessToken" text,
      "refreshToken" text,
      "idToken" text,
      "accessTokenExpiresAt" timestamptz(3),
      "refreshTokenExpiresAt" timestamptz(3),
      scope text,
      password text,
      "createdAt" timestamptz(3) not null default now(),
      "updatedAt" timestamptz(3) not null default now()
    );
    create index on accounts ("userId");

    create table verifications (
      id text primary key,
      identifier text not null,
      value text not null,
      "expiresAt" timestamptz(3) not null,
      "createdAt" timestamptz(3) not null default now(),
      "updatedAt" timestamptz(3) not null default now()
    );
    create index on verifications (identifier);

    create table signing_keys (
      id text primary key,
      "publicKey" text not null,
      "privateKey" text not null,
      alg text,
      crv text,
      "createdAt" timestamptz(3) not null default now(),
      "expiresAt" timestamptz(3)
    );

    -- A bearer token outlives its session's row, so the end of a session is written down for as long as a token can live.
    create table revocations (
      "sessionId" text primary key,
      "revokedAt" timestamptz(3) not null default clock_timestamp()
    );
    create index on revocations ("revokedAt");

    -- In the database, because sessions end in many ways (sign-out, expiry, deletion of the person), all of them deletes.
    create function revoke_session() returns trigger language plpgsql as $$
    begin
      insert into revocations ("sessionId") values (old.id) on conflict do nothing;
      return null;
    end $$;
    create trigger revoke_session after delete on sessions for each row execute function revoke_session();
  `.execute(db)
}
