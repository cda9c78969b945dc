import { type Kysely, sql } from 'kysely'

/** The assistant: a user that cannot sign in, and its pending answers. */
export async function up(db: Kysely<never>) {
  await sql`
    -- Nobody has an address below .invalid.
    insert into users (id, username, name, email, "statusEmoji")
    values ('assistant-bot', 'assistant-bot', 'Assistant', 'assistant-bot@parley.invalid', '🤖');

    -- Whatever the identity is made to believe, nobody comes in as the assistant.
    alter table accounts add constraint "accounts_notAssistant" check ("userId" <> 'assistant-bot');
    alter table sessions add constraint "sessions_notAssistant" check ("userId" <> 'assistant-bot');

    create table assistant_answers (
      "messageId" uuid primary key references messages on delete cascade,
      "askedBy" text not null references users on delete cascade,
      -- Moved every two seconds by the node that writes it; one that stands still was cut with its node.
      "touchedAt" timestamptz(3) not null default clock_timestamp(),
      -- Somebody asked to end it; the node that writes it looks here.
      "stoppedAt" timestamptz(3)
    );
  `.execute(db)
}
