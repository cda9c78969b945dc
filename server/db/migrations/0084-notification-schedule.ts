import { type Kysely, sql } from 'kysely'

/** When people may be notified, and when that changes next. */
export async function up(db: Kysely<never>) {
  await sql`
    alter table notification_settings
      -- { days, from, to, timeZone } of contract/notification-schedule.ts; null for always.
      add schedule jsonb,
      -- The next time at which the schedule begins or ends do not disturb.
      add "scheduleDueAt" timestamptz(3);
    -- What is behind "quietUntil", the latest of them. Nodes of earlier versions only write that.
    alter table users
      add "chosenQuietUntil" timestamptz(3),
      add "statusQuietUntil" timestamptz(3),
      add "scheduleQuietUntil" timestamptz(3);
    -- The do not disturb of invisible people is shown as if they were offline.
    create trigger note_invisible_quiet before update on users for each row when (
      new.availability = 'invisible' and new."quietUntil" is distinct from old."quietUntil"
    ) execute function note_emoji();
    create index notification_settings_due on notification_settings ("scheduleDueAt") where "scheduleDueAt" is not null;
  `.execute(db)
}
