import { type Kysely, sql } from 'kysely'

/**
 * The texts that messages had before they were edited, numbered from one; `writtenAt` is when the author wrote that text. Nodes of
 * the previous version leave the rows of a message that they delete; readers see to it.
 */
export async function up(db: Kysely<never>) {
  await sql`
    create table message_versions (
      "messageId" uuid not null references messages on delete cascade,
      number integer not null,
      content text not null,
      "writtenAt" timestamptz(3) not null,
      primary key ("messageId", number)
    );
    -- Whether they are kept and shown.
    alter table workspace add "keepsVersions" boolean not null default true;
  `.execute(db)
}
