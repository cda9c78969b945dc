import { type Kysely, sql } from 'kysely'

/** Words of which people are notified, besides mentions. */
export async function up(db: Kysely<never>) {
  await sql`
    alter table notification_settings
      -- As they were typed, oldest first.
      add keywords text[] not null default '{}',
      add "keywordsChangedBy" xid8;
    create index on notification_settings ("keywordsChangedBy");
    create index "notification_settings_keywords" on notification_settings ("userId") where keywords <> '{}';

    -- Every node keeps the keywords in memory.
    create function note_keywords() returns trigger language plpgsql as $$
    begin
      new."keywordsChangedBy" := pg_current_xact_id();
      return new;
    end $$;
    create trigger note_keywords_update before update on notification_settings for each row
      when (new.keywords is distinct from old.keywords) execute function note_keywords();
    create trigger note_keywords_insert before insert on notification_settings for each row
      when (new.keywords <> '{}') execute function note_keywords();

    -- A row for those with a keyword that the message contains. Nobody else may learn of it.
    alter table mentions add "isKeyword" boolean not null default false;
  `.execute(db)
}
