import { type Kysely, sql } from 'kysely'

/** The queue of mails, including those that could not be sent. Sent mails are removed. */
export async function up(db: Kysely<never>) {
  await sql`
    create table mails (
      id uuid primary key,
      -- Null: to an address that belongs to nobody yet.
      "userId" text references users (id) on delete cascade,
      "to" text not null check (octet_length("to") <= 320),
      content jsonb not null check (octet_length(content::text) <= 32768),
      attempts integer not null default 0,
      "createdAt" timestamptz(3) not null default clock_timestamp(),
      -- Nobody takes it earlier: a node that sends it moves this on first.
      "dueAt" timestamptz(3) not null default clock_timestamp(),
      "failedAt" timestamptz(3),
      -- What the mail server answered last.
      error text
    );
    create index on mails ("dueAt") where "failedAt" is null;
    create index on mails ("failedAt") where "failedAt" is not null;
    create index on mails ("userId");
  `.execute(db)
}
