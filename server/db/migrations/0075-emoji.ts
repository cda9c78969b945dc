import { type Kysely, sql } from 'kysely'

/**
 * The workspace's own emoji. Messages, reactions and statuses name one as `:name:`, so removing it changes none of them. Its
 * pictures are stored in one file, as those of people are (migration 0058).
 */
export async function up(db: Kysely<never>) {
  await sql`
    create table emoji (
      id uuid primary key,
      "fileId" uuid not null references files,
      -- Of the bytes, as it stands in the URL.
      hash text not null,
      -- Bytes of the still picture and, if it moves, of the moving one, as they lie one after the other in the file.
      sizes integer[] not null,
      "createdBy" text not null references users,
      "createdAt" timestamptz(3) not null default clock_timestamp()
    );
    create index on emoji ("fileId");
    create index on emoji (hash);
    create table emoji_names (
      -- Lower case.
      name text primary key,
      "emojiId" uuid not null references emoji on delete cascade,
      -- Besides its first name, which reactions and statuses contain.
      "isAlias" boolean not null
    );
    create index on emoji_names ("emojiId");

    create function drop_emoji() returns trigger language plpgsql as $$
    begin
      update files set state = 'gone', "touchedAt" = clock_timestamp() where id = old."fileId";
      return null;
    end $$;
    create trigger drop_emoji after delete on emoji for each row execute function drop_emoji();

    -- Nodes notice that they changed by this number.
    alter table workspace add "emojiVersion" integer not null default 0;
    create function note_emoji_names() returns trigger language plpgsql as $$
    begin
      update workspace set "emojiVersion" = "emojiVersion" + 1;
      return null;
    end $$;
    create trigger note_emoji_names after insert or update or delete on emoji_names
      for each statement execute function note_emoji_names();
  `.execute(db)
}
