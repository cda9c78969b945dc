import { type Kysely, sql } from 'kysely'

/**
 * The audit log. Triggers write most of its lines, so that an action and its line are one transaction whichever code acts,
 * including nodes of the previous version. The transaction sets the actor and their address in `parley.actor`, `parley.address`
 * and `parley.agent` (`server/audit/write-audit.ts`).
 */
export async function up(db: Kysely<never>) {
  await sql`
    create table audit_log (
      id bigint generated always as identity primary key,
      at timestamptz(3) not null default clock_timestamp(),
      kind text not null check (length(kind) between 1 and 64),
      -- No references: a line outlives what it speaks of. Null is Parley itself, or somebody who is not signed in.
      "actorId" text,
      "personId" text,
      "channelId" uuid,
      -- As they were then: who may read the name follows from the kind.
      "channelKind" text,
      "channelName" text,
      details jsonb not null default '{}' check (octet_length(details::text) <= 4000),
      address text check (length(address) <= 64),
      "userAgent" text check (length("userAgent") <= 300)
    );
    create index on audit_log (at);

    create function refuse_audit_change() returns trigger language plpgsql as $$
    begin
      raise exception 'the audit log is only added to' using errcode = 'insufficient_privilege';
    end $$;
    create trigger append_only before update or delete on audit_log
      for each row execute function refuse_audit_change();
    create trigger append_only_truncate before truncate on audit_log
      for each statement execute function refuse_audit_change();

    create function audit_actor() returns text language sql stable as
      $$ select nullif(current_setting('parley.actor', true), '') $$;

    create function write_audit(
      given_kind text, actor text, person text, channel uuid, channel_kind text, channel_name text, given_details jsonb
    ) returns void language sql volatile as $$
      insert into audit_log
        (kind, "actorId", "personId", "channelId", "channelKind", "channelName", details, address, "userAgent")
      values (given_kind, actor, person, channel, channel_kind, channel_name, given_details,
        left(nullif(current_setting('parley.address', true), ''), 64),
        left(nullif(current_setting('parley.agent', true), ''), 300))
    $$;

    create function audit_channel() returns trigger language plpgsql as $$
    declare
      actor text := audit_actor();
    begin
      if new.kind = 'direct' then return null; end if;
      if tg_op = 'INSERT' then
        perform write_audit('channel_created', coalesce(actor, new."ownerId"), null, new.id, new.kind, new.name, '{}');
        return null;
      end if;
      if new.kind = 'private' and old.kind = 'public' then
        -- Everybody knew its old name; a new one is already private.
        perform write_audit('channel_made_private', actor, null, new.id, 'public', old.name, '{}');
      end if;
      if new.name <> old.name then
        perform write_audit('channel_renamed', actor, null, new.id,
          case when old.kind = 'public' and new.kind = 'public' then 'public' else 'private' end,
          new.name, jsonb_build_object('from', old.name));
      end if;
      if new.kind = 'public' and old.kind = 'private' then
        perform write_audit('channel_made_public', actor, null, new.id, 'public', new.name, '{}');
      end if;
      if new."ownerId" is distinct from old."ownerId" and new."ownerId" is not null then
        perform write_audit('channel_transferred', actor, new."ownerId", new.id, new.kind, new.name, '{}');
      end if;
      if new."deletedAt" is not null and old."deletedAt" is null then
        perform write_audit('channel_deleted', actor, null, new.id, new.kind, new.name, '{}');
      end if;
      return null;
    end $$;
    -- Of these columns only: a message updates the others.
    create trigger audit_channel after insert or update of name, kind, "ownerId", "deletedAt" on channels
      for each row execute function audit_channel();

    -- Members added and removed by somebody else. Statements of many rows write as many lines in one insert.
    create function audit_members() returns trigger language plpgsql as $$
    declare
      actor text := audit_actor();
    begin
      if actor is null then return null; end if;
      insert into audit_log (kind, "actorId", "personId", "channelId", "channelKind", "channelName", address, "userAgent")
      select case tg_op when 'INSERT' then 'member_added' else 'member_removed' end,
        actor, m."userId", c.id, c.kind, c.name,
        left(nullif(current_setting('parley.address', true), ''), 64),
        left(nullif(current_setting('parley.agent', true), ''), 300)
      from changed m join channels c on c.id = m."channelId"
      where m."userId" <> actor and c.kind <> 'direct';
      return null;
    end $$;
    create trigger audit_added after insert on memberships referencing new table as changed
      for each statement execute function audit_members();
    create trigger audit_removed after delete on memberships referencing old table as changed
      for each statement execute function audit_members();

    create function audit_person() returns trigger language plpgsql as $$
    declare
      actor text := audit_actor();
    begin
      if tg_op = 'INSERT' then
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
    create trigger audit_person after insert or update of role, "deactivatedAt" on users
      for each row execute function audit_person();

    create function audit_invite() returns trigger language plpgsql as $$
    declare
      actor text := audit_actor();
    begin
      if tg_op = 'INSERT' then
        perform write_audit('invite_created', coalesce(actor, new."createdBy"), null, null, null, null,
          jsonb_build_object('invite', new.id, 'maxUses', new."maxUses", 'expiresAt', new."expiresAt"));
      elsif new."revokedAt" is not null and old."revokedAt" is null then
        perform write_audit('invite_revoked', actor, new."createdBy", null, null, null,
          jsonb_build_object('invite', new.id, 'uses', new.uses));
      end if;
      return null;
    end $$;
    create trigger audit_invite after insert or update of "revokedAt" on invites
      for each row execute function audit_invite();

    create function audit_session() returns trigger language plpgsql as $$
    begin
      -- The session of a deactivated person is refused, and ended again.
      if exists (select from users where id = new."userId" and "deactivatedAt" is not null) then return null; end if;
      insert into audit_log (kind, "actorId", address, "userAgent")
      values ('signed_in', new."userId", left(nullif(new."ipAddress", ''), 64), left(nullif(new."userAgent", ''), 300));
      return null;
    end $$;
    create trigger audit_session after insert on sessions for each row execute function audit_session();
  `.execute(db)
}
