import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { NotificationLevel } from '#contract/notification-rule'
import type { NotificationSettings } from '#contract/notifications'
import type { DB } from '../db/schema.ts'

/**
 * What notifies a user in channels for which they chose nothing else (their choice, if any, and the workspace's), their keywords, and
 * when they may be notified.
 */
export async function readNotificationSettings(
  db: Kysely<DB> | Transaction<DB>,
  userId: string,
): Promise<NotificationSettings> {
  const found = await db
    .selectFrom('workspace')
    .leftJoin('notification_settings', (join) => join.on('notification_settings.userId', '=', userId))
    .select([
      'notification_settings.level',
      'notification_settings.keywords',
      'notification_settings.schedule',
      'workspace.notificationLevel',
    ])
    .executeTakeFirstOrThrow()
  return {
    level: found.level as NotificationLevel | null,
    workspaceLevel: found.notificationLevel as NotificationLevel,
    keywords: found.keywords ?? [],
    schedule: found.schedule as unknown as NonNullable<NotificationSettings['schedule']> | null,
  }
}

/** In SQL: `levelOf` for a member, with the tables under these names. */
export const selectLevel = (membership: string, channel: string) =>
  sql`coalesce(
    ${sql.ref(`${membership}.notificationLevel`)},
    case when ${sql.ref(`${channel}.kind`)} = 'direct' then 'everything' end,
    (select level from notification_settings s where s."userId" = ${sql.ref(`${membership}.userId`)}),
    (select "notificationLevel" from workspace)
  )` as RawBuilder<NotificationLevel>
