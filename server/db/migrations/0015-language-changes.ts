import { type Kysely, sql } from 'kysely'

/** Lets every node notice language changes. Separate from `changedBy`, which would notify everyone. */
export async function up(db: Kysely<never>) {
  await sql`
    alter table users add "languageChangedBy" xid8;
    create index on users ("languageChangedBy");
    create function note_language() returns trigger language plpgsql as $$
    begin
      new."languageChangedBy" := pg_current_xact_id();
      return new;
    end $$;
    create trigger note_language before update on users
      for each row when (new.language is distinct from old.language) execute function note_language();
  `.execute(db)
}
