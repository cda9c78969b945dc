import { type Kysely, sql } from 'kysely'

/**
 * Previews of the links in a message: [{ url, title, description, site, picture: { fileId, width, height } | null, isRemoved? }],
 * in the order of the text; null for messages without any. A picture is a file of the message that is `kept`, so it is in no list.
 * Nodes of the previous version leave the column as it is on a message that they edit or delete; readers see to it.
 */
export async function up(db: Kysely<never>) {
  await sql`
    alter table messages add previews jsonb;
    -- Whether links in new messages get one.
    alter table channels add "linkPreviews" boolean not null default true;
    alter table workspace add "linkPreviews" boolean not null default true;
  `.execute(db)
}
