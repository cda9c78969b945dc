import { sql } from 'kysely'
import { jsonArrayFrom } from 'kysely/helpers/postgres'
import type { InputOf } from '#contract/endpoint'
import type { listThreads, ThreadCursor } from '#contract/threads'
import { isHere } from '../access/readable-channels.ts'
import type { Db } from '../db/database.ts'
import { type MessageRow, messagesFromJson, selectMessages } from './message-rows.ts'
import { selectThreadCursors } from './thread-cursors.ts'

type Query = InputOf<typeof listThreads>['query']

/** How many of a thread's last replies are searched for ones that were not deleted. */
const MAX_REPLIES_SEARCHED = 10

interface FollowedThreadRow extends ThreadCursor {
  rev: number
  peopleVersion: number
  lastReplyAt: string | null
  parents: MessageRow[]
  replies: MessageRow[]
}

/**
 * A page of the threads that a user follows, latest reply first, in one statement: a parent must not count a reply that the
 * cursor does not, because the browser would never correct it.
 * @param maxBytes ends a page with latest replies early; it has at least one thread
 */
export async function readFollowedThreads(db: Db, me: string, query: Query, maxBytes: number) {
  const { page, limit, cursor, latestReplies } = query
  const found = await db
    .with('listed', () =>
      selectListed(db, me, query)
        .limit(limit + 1)
        .offset(cursor === undefined ? (page - 1) * limit : 0),
    )
    .with('filled', (from) =>
      from
        .selectFrom('listed')
        .selectAll()
        .select([
          jsonArrayFrom(selectMessages(db).whereRef('messages.id', '=', sql.ref('listed.threadId'))).as('parents'),
          latestReplies > 0
            ? jsonArrayFrom(selectLatestReplies(db, latestReplies)).as('replies')
            : sql<MessageRow[]>`'[]'::json`.as('replies'),
        ]),
    )
    .with('measured', (from) =>
      from
        .selectFrom('filled')
        .selectAll()
        .select([
          sql<number>`count(*) over ()`.as('total'),
          sql<number>`sum(octet_length(parents::text) + octet_length(replies::text)) over (order by position)`.as(
            'bytes',
          ),
        ]),
    )
    .selectFrom('measured')
    .selectAll()
    .where((row) => row.or([row('position', '=', 1), row.lit(latestReplies === 0), row('bytes', '<=', maxBytes)]))
    .orderBy('position')
    .execute()
  const threads = found.slice(0, limit).map(
    (row): FollowedThreadRow => ({
      ...row,
      parents: messagesFromJson(row.parents),
      replies: messagesFromJson(row.replies),
    }),
  )
  const hasMore = (found[0]?.total ?? 0) > threads.length
  const last = threads.at(-1)
  const nextCursor = hasMore && last ? `${last.lastReplyAt ?? ''}_${last.threadId}` : null
  return { threads, peopleVersion: found[0]?.peopleVersion, pagination: { page, limit, hasMore, nextCursor } }
}

function selectListed(db: Db, me: string, { cursor, unread }: Query) {
  let listed = selectThreadCursors(db, me)
    .innerJoin('memberships', (join) =>
      join.onRef('memberships.channelId', '=', 'messages.channelId').on('memberships.userId', '=', me),
    )
    .innerJoin('channels', 'channels.id', 'messages.channelId')
    .innerJoin('workspace', (join) => join.onTrue())
    .where('channels.deletedAt', 'is', null)
    .where(isHere(me))
    .where('follow.isFollowing', '=', true)
    // Omit threads that were deleted with all their replies: nobody can reply there any more.
    .where((row) => row.or([row('messages.deletedAt', 'is', null), row('messages.lastReplyAt', 'is not', null)]))
    .select(['channels.rev', 'workspace.peopleVersion', 'messages.lastReplyAt', 'messages.threadSeq'])
    .select(
      sql<number>`row_number() over (order by messages."lastReplyAt" desc nulls last, messages.id desc)`.as('position'),
    )
    .orderBy('position')
  if (unread === 'true') listed = listed.whereRef('messages.threadSeq', '>', 'follow.lastReadSeq')
  if (cursor !== undefined) listed = listed.where(isAfter(cursor))
  return listed
}

/** Threads without replies come last, so they follow every other position. */
function isAfter(cursor: string) {
  const [lastReplyAt, threadId] = cursor.split('_') as [string, string]
  if (lastReplyAt === '') return sql<boolean>`messages."lastReplyAt" is null and messages.id < ${threadId}`
  return sql<boolean>`(messages."lastReplyAt" is null
    or (messages."lastReplyAt", messages.id) < (${lastReplyAt}::timestamptz, ${threadId}::uuid))`
}

/**
 * The last replies of the listed thread that were not deleted, plus everything after the first of them, so that they are
 * consecutive. `seq` has no gaps, so the cost doesn't depend on the thread's length.
 */
const selectLatestReplies = (db: Db, count: number) =>
  selectMessages(db)
    .where('messages.threadId', '=', sql.ref<string>('listed.threadId'))
    .where(
      'messages.seq',
      '>=',
      sql<number>`coalesce((
        select min(seq) from (
          select seq from messages reply
          where reply."threadId" = listed."threadId" and reply.seq > listed."threadSeq" - ${sql.lit(MAX_REPLIES_SEARCHED)}
            and reply."deletedAt" is null
          order by seq desc limit ${count}
        ) latest
      ), listed."threadSeq")`,
    )
    .orderBy('messages.seq')
