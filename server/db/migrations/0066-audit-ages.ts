import { type Kysely, sql } from 'kysely'

/** Programs before it know no audit log; the replaced trigger only refuses less. */
export const floor = '0021-audit'

/** Lines of the audit log end with their age, and their addresses earlier. The database refuses to remove younger ones. */
export async function up(db: Kysely<never>) {
  await sql`
    alter table workspace
      add "auditDays" integer not null default 400 check ("auditDays" between 30 and 3650),
      add "auditAddressDays" integer not null default 90 check ("auditAddressDays" between 1 and 3650),
      add check ("auditAddressDays" <= "auditDays");
    -- The lines whose addresses may have to be erased.
    create index on audit_log (at) where address is not null or "userAgent" is not null;

    create function refuse_audit_change_2() returns trigger language plpgsql as $$
    declare
      ages record;
    begin
      select "auditDays" as lines, "auditAddressDays" as addresses into ages from workspace;
      if tg_op = 'DELETE' and old.at < clock_timestamp() - make_interval(days => ages.lines) then return old; end if;
      if tg_op = 'UPDATE' and old.at < clock_timestamp() - make_interval(days => ages.addresses)
        and to_jsonb(new) = to_jsonb(old) || '{"address": null, "userAgent": null}' then return new; end if;
      raise exception 'the audit log is only added to' using errcode = 'insufficient_privilege';
    end $$;
    drop trigger append_only on audit_log;
    create trigger append_only before update or delete on audit_log
      for each row execute function refuse_audit_change_2();
  `.execute(db)
}
