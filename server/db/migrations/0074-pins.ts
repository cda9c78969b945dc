import { type Kysely, sql } from 'kysely'

/**
 * When a message was pinned, and by whom: somebody who can sign in, so their row stays. Both are null for nearly all messages.
 * Nodes of the previous version leave them on a message that they delete, so readers skip deleted ones.
 */
export async function up(db: Kysely<never>) {
  await sql`
    alter table messages add "pinnedAt" timestamptz(3), add "pinnedBy" text;
    create index messages_pinned on messages ("channelId", "pinnedAt") where "pinnedAt" is not null;
  `.execute(db)
}
