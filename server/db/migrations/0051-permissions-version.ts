import { type Kysely, sql } from 'kysely'

/** A change of permissions that is quickly reverted counts as two changes: pages may have seen the first. */
export async function up(db: Kysely<never>) {
  await sql`
    alter table workspace add "permissionsVersion" integer not null default 0;
    create function note_permissions() returns trigger language plpgsql as $$
    begin
      new."permissionsVersion" = old."permissionsVersion" + 1;
      return new;
    end $$;
    create trigger note_permissions before update of permissions on workspace
      for each row when (new.permissions is distinct from old.permissions) execute function note_permissions();
  `.execute(db)
}
