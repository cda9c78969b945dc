import { type Kysely, sql } from 'kysely'

/** Second factors: an authenticator app's code at each password sign-in, and recovery codes. */
export async function up(db: Kysely<never>) {
  await sql`
    -- In the shape that Better Auth reads (identity/auth.ts names the table).
    alter table users add "twoFactorEnabled" boolean not null default false;
    create table two_factors (
      id text primary key,
      "userId" text not null unique references users (id) on delete cascade,
      -- Both encrypted with the workspace's secret.
      secret text not null,
      "backupCodes" text not null,
      -- False until a first code has shown that the app knows the secret.
      verified boolean not null default false,
      "failedVerificationCount" integer not null default 0,
      "lockedUntil" timestamptz(3)
    );

    -- Such a link also takes away the second factor, of somebody who lost it.
    alter table password_resets add "endsSecondFactor" boolean not null default false;

    -- What a session began with: 'password', 'two-factor', 'recovery-code', 'passkey' or 'provider'. While the second
    -- factor is asked for it is 'pending': nobody gets the cookie of such a session. Null is a node of an earlier version.
    alter table sessions add "signedInBy" text;

    -- The line of a sign-in, which nodes of an earlier version write with the trigger of migration 0021 as well, says what the
    -- session began with; there is none for a pending one.
    create function note_signed_in_by() returns trigger language plpgsql as $$
    begin
      perform set_config('parley.signed_in_by', coalesce(new."signedInBy", ''), true);
      return new;
    end $$;
    create trigger note_signed_in_by before insert on sessions for each row execute function note_signed_in_by();

    create function complete_sign_in_line() returns trigger language plpgsql as $$
    declare
      signed_in_by text := nullif(current_setting('parley.signed_in_by', true), '');
    begin
      if signed_in_by = 'pending' then return null; end if;
      if signed_in_by is not null then new.details := jsonb_build_object('by', signed_in_by); end if;
      return new;
    end $$;
    create trigger complete_sign_in_line before insert on audit_log
      for each row when (new.kind = 'signed_in') execute function complete_sign_in_line();
  `.execute(db)
}
