import { type Kysely, sql } from 'kysely'

/** Versions since the audit log work with the changed trigger: their inserts are recorded as before. */
export const floor = '0021-audit'

/** Imports from other products, the objects each has created, and the people who have not claimed their account yet. */
export async function up(db: Kysely<never>) {
  await sql`
    create table imports (
      id uuid primary key,
      "userId" text not null references users,
      "fileName" text not null,
      -- Bytes of the archive.
      size bigint not null,
      -- Null once the archive has been removed.
      "archiveId" uuid,
      format text,
      state text not null default 'reading' check (state in (
        'reading', 'ready', 'running', 'done', 'undoing', 'failed', 'accepted', 'undone', 'cancelled')),
      -- What the archive contains, once it was read.
      plan jsonb,
      -- What the owner chose: names of channels, and accounts of people.
      choices jsonb not null default '{}',
      messages bigint not null default 0,
      total bigint not null default 0,
      -- Of a failed import: why, and what it was doing.
      problem jsonb,
      "failedIn" text,
      -- Of the node that works on it: another one that took over has another claim.
      claim uuid,
      "touchedAt" timestamptz(3),
      attempts integer not null default 0,
      "createdAt" timestamptz(3) not null default clock_timestamp(),
      -- When the first row was written.
      "startedAt" timestamptz(3),
      "finishedAt" timestamptz(3)
    );
    -- One at a time, until the owner keeps it or takes it back.
    create unique index "imports_oneOpen" on imports ((true))
      where state in ('reading', 'ready', 'running', 'done', 'undoing', 'failed');

    -- What was imported as what, so that nothing is imported twice.
    create table import_items (
      -- The product, as its ids are unique within it.
      source text not null,
      kind text not null check (kind in ('person', 'channel', 'message')),
      key text not null,
      -- No references: it may have been deleted here since.
      id text not null,
      "importId" uuid not null references imports,
      -- Whether the import made it; false for a person who was here before.
      "isNew" boolean not null default true,
      -- Of a message that links to one which is not imported yet: its parts.
      pending jsonb,
      primary key (source, kind, key)
    );
    create index on import_items ("importId", kind);

    create table imported_people (
      "userId" text primary key references users on delete cascade,
      "importId" uuid not null references imports,
      "isBot" boolean not null,
      -- When somebody signed in as them first; null until then.
      "claimedAt" timestamptz(3)
    );
    create index on imported_people ("importId");

    -- A way to sign in is how an account is claimed: by a link, or by the hosted provider.
    create function claim_imported() returns trigger language plpgsql as $$
    begin
      update imported_people set "claimedAt" = clock_timestamp()
        where "userId" = new."userId" and "claimedAt" is null;
      if found then perform write_audit('person_claimed', new."userId", null, null, null, null, '{}'); end if;
      return null;
    end $$;
    create trigger claim_imported after insert on accounts for each row execute function claim_imported();

    -- As before, but who is imported has not joined.
    create or replace function audit_person() returns trigger language plpgsql as $$
    declare
      actor text := audit_actor();
    begin
      if tg_op = 'INSERT' then
        if current_setting('parley.importing', true) = 'on' then return null; end if;
        perform write_audit('person_joined', new.id, i."createdBy", null, null, null,
          case when i.id is null then '{}'::jsonb else jsonb_build_object('invite', i.id) end)
        from (select 1) one left join invites i on i.id = new."inviteId";
        return null;
      end if;
      if new.role <> old.role then
        perform write_audit('role_changed', actor, new.id, null, null, null,
          jsonb_build_object('from', old.role, 'to', new.role));
      end if;
      if (new."deactivatedAt" is null) <> (old."deactivatedAt" is null) then
        perform write_audit(
          case when new."deactivatedAt" is null then 'person_reactivated' else 'person_deactivated' end,
          actor, new.id, null, null, null, '{}');
      end if;
      return null;
    end $$;
  `.execute(db)
}
