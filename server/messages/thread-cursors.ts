import { sql } from 'kysely'
import { limits } from '#contract/limits'
import type { ThreadCursor } from '#contract/threads'
import type { Db } from '../db/database.ts'
import { notFound } from '../errors.ts'

/** Counts the unread replies of a thread that mention a user by name or, with `@channel` or `@here`, as a follower. */
export const unreadMentions = (userId: string) => sql<number>`(
  select count(*) from (
    select distinct seq from mentions
    where mentions."threadId" = messages.id and seq > follow."lastReadSeq" and (mentions."userId" = ${userId}
      or (mentions."userId" is null and "authorId" <> ${userId} and (audience is null or ${userId} = any(audience))))
    limit ${sql.lit(limits.mentionsCounted)}
  ) unread
)`

/** A user's cursors in threads. The caller checks access. */
export const selectThreadCursors = (db: Db, userId: string) =>
  db
    .selectFrom('messages')
    .leftJoin('thread_follows as follow', (join) =>
      join.onRef('follow.threadId', '=', 'messages.id').on('follow.userId', '=', userId),
    )
    .select([
      'messages.id as threadId',
      sql<boolean>`coalesce(follow."isFollowing", false)`.as('isFollowing'),
      sql<number>`coalesce(follow."lastReadSeq", 0)`.as('lastReadSeq'),
      sql<number>`coalesce(follow."readVersion", 0)`.as('readVersion'),
      sql<number>`case when follow."isFollowing" then "threadSeq" - follow."lastReadSeq" else 0 end`.as('unread'),
      sql<number>`case when follow."isFollowing" then ${unreadMentions(userId)} else 0 end`.as('mentions'),
    ])

/** @throws AppError 404 for non-members: a user removed after the door's check must not learn how many replies followed */
export async function readThreadCursor(db: Db, userId: string, threadId: string): Promise<ThreadCursor> {
  const cursor = await selectThreadCursors(db, userId)
    .innerJoin('memberships', (join) =>
      join.onRef('memberships.channelId', '=', 'messages.channelId').on('memberships.userId', '=', userId),
    )
    .where('messages.id', '=', threadId)
    .executeTakeFirst()
  if (!cursor) throw notFound('errors.threadNotFound')
  return cursor
}
