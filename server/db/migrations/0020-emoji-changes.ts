import { type Kysely, sql } from 'kysely'

/** Lets every node notice changed status emoji. */
export async function up(db: Kysely<never>) {
  await sql`
    alter table users add "emojiChangedBy" xid8;
    create index on users ("emojiChangedBy");
    create function note_emoji() returns trigger language plpgsql as $$
    begin
      new."emojiChangedBy" := pg_current_xact_id();
      return new;
    end $$;
    create trigger note_emoji before update on users
      for each row when (new."statusEmoji" is distinct from old."statusEmoji") execute function note_emoji();
  `.execute(db)
}
