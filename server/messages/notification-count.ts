import { type Kysely, sql } from 'kysely'
import { mentionsOf } from '../channels/channel-rows.ts'
import type { DB } from '../db/schema.ts'
import { unreadMentions } from './thread-cursors.ts'

/**
 * How many notifications a user has, as an open page counts them: unread direct messages, mentions elsewhere, where muted, and in
 * followed threads, and due reminders.
 */
export async function readNotificationCount(db: Kysely<DB>, userId: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (
      (
        select coalesce(sum(
          case when channels.kind = 'direct' and not memberships.muted then channels.seq - memberships."lastReadSeq"
            else ${mentionsOf(userId)} end
        ), 0)
        from memberships join channels on channels.id = memberships."channelId" and channels."deletedAt" is null
        where memberships."userId" = ${userId} and channels.seq > memberships."lastReadSeq"
      ) + (
        select coalesce(sum(${unreadMentions(userId)}), 0)
        from thread_follows follow join messages on messages.id = follow."threadId"
        join memberships on memberships."channelId" = messages."channelId" and memberships."userId" = ${userId}
        join channels on channels.id = messages."channelId" and channels."deletedAt" is null
        where follow."userId" = ${userId} and follow."isFollowing" and messages."threadSeq" > follow."lastReadSeq"
      ) + (
        select count(*) from later_items where "userId" = ${userId} and "doneAt" is null and "remindedAt" is not null
      )
    )::float8 as count
  `.execute(db)
  return rows[0]?.count ?? 0
}
