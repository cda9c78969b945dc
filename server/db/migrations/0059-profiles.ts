import { type Kysely, sql } from 'kysely'

/** Status texts and their end, time zones, and profile fields that the owner defines. */
export async function up(db: Kysely<never>) {
  await sql`
    alter table users
      add "statusText" text not null default '',
      -- When the status ends; null for never. Whoever reads it compares it with the time; rows are cleared a little later.
      add "statusUntil" timestamptz(3),
      -- An IANA name; null while no browser has told it.
      add "timeZone" text,
      -- Whether the person chose it, so that browsers leave it as it is.
      add "choseTimeZone" boolean not null default false,
      -- Values by the id of their field; only those of fields that there are count.
      add profile jsonb not null default '{}';
    create index on users ("statusUntil") where "statusUntil" is not null;
    create trigger note_status before update on users for each row when (
      (new."statusText", new."statusUntil") is distinct from (old."statusText", old."statusUntil")
    ) execute function note_emoji();

    -- [{ id, label }] in their order; without a label, it is one whose name is in every language.
    alter table workspace add "profileFields" jsonb not null
      default '[{"id":"title","label":null},{"id":"pronouns","label":null},{"id":"phone","label":null}]';
  `.execute(db)
}
