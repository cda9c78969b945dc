import { type Kysely, sql } from 'kysely'

/**
 * What people saved for later, and their reminders: of a message or a text of their own. An item is open until `doneAt`. The
 * reminder is due at `dueAt`, and was given at `remindedAt`.
 */
export async function up(db: Kysely<never>) {
  await sql`
    create table later_items (
      id uuid primary key,
      "userId" text not null references users on delete cascade,
      "messageId" uuid references messages on delete cascade,
      text text,
      rev integer not null default 1,
      "createdAt" timestamptz(3) not null default clock_timestamp(),
      "dueAt" timestamptz(3),
      "remindedAt" timestamptz(3),
      "doneAt" timestamptz(3)
    );
    create unique index later_items_message on later_items ("messageId", "userId");
    create index later_items_user on later_items ("userId", "doneAt", id);
    create index later_items_due on later_items ("dueAt") where "remindedAt" is null and "doneAt" is null and "dueAt" is not null;
  `.execute(db)
}
