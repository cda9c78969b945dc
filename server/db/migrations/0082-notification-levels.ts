import { type Kysely, sql } from 'kysely'

/**
 * What notifies people: their choice for one conversation, their default for channels, and the workspace's. Null for no choice;
 * the values are those of contract/notifications.ts.
 */
export async function up(db: Kysely<never>) {
  await sql`
    alter table memberships add "notificationLevel" text;
    alter table workspace add "notificationLevel" text not null default 'mentions';
    create table notification_settings (
      "userId" text primary key references users (id) on delete cascade,
      level text
    );
  `.execute(db)
}
