import { sql, type Transaction } from 'kysely'
import { limits } from '#contract/limits'
import type { MovedCursor } from '#contract/read-cursors'
import type { MovedThread } from '#contract/threads'
import type { DB } from '../db/schema.ts'

// Marks everything as read, and undoes that. Rows locked by another transaction, because the user is reading or writing there
// right now, are skipped: waiting for them while holding others could deadlock.

type Tx = Transaction<DB>

/** A change of a cursor, as the browser remembers it for undo. */
interface CursorMove {
  before: number
  lastReadSeq: number
  readVersion: number
}

const NOTHING_UNREAD = { unread: 0, mentions: 0 }

/** Marks all channels of a user as read. Returns those that were unread. */
export async function markChannelsRead(tx: Tx, me: string): Promise<MovedCursor[]> {
  const moved = await tx
    .with('behind', (query) =>
      query
        .selectFrom('memberships')
        .innerJoin('channels', 'channels.id', 'memberships.channelId')
        .where('memberships.userId', '=', me)
        .where('channels.deletedAt', 'is', null)
        .whereRef('memberships.lastReadSeq', '<', 'channels.seq')
        .select(['channelId', 'seq', 'rev', 'lastReadSeq as before'])
        .forUpdate('memberships')
        .skipLocked(),
    )
    .updateTable('memberships')
    .from('behind')
    .whereRef('memberships.channelId', '=', 'behind.channelId')
    .where('memberships.userId', '=', me)
    .set((row) => ({ lastReadSeq: row.ref('behind.seq') }))
    .returning(['memberships.channelId', 'memberships.lastReadSeq', 'readVersion', 'before', 'behind.rev'])
    .execute()
  return moved.map((cursor) => ({ ...cursor, ...NOTHING_UNREAD }))
}

/** Marks the threads that a user follows as read, up to `limits.unreadAtOnce`. Returns those that were unread. */
export async function markThreadsRead(tx: Tx, me: string): Promise<MovedThread[]> {
  const moved = await tx
    .with('behind', (query) =>
      query
        .selectFrom('thread_follows')
        .innerJoin('messages', 'messages.id', 'thread_follows.threadId')
        .innerJoin('channels', 'channels.id', 'messages.channelId')
        .innerJoin('memberships', (join) =>
          join.onRef('memberships.channelId', '=', 'channels.id').on('memberships.userId', '=', me),
        )
        .where('thread_follows.userId', '=', me)
        .where('thread_follows.isFollowing', '=', true)
        .where('channels.deletedAt', 'is', null)
        .whereRef('thread_follows.lastReadSeq', '<', 'messages.threadSeq')
        .select(['thread_follows.threadId', 'messages.threadSeq', 'channels.id as channelId'])
        .select('thread_follows.lastReadSeq as before')
        .limit(limits.unreadAtOnce)
        .forUpdate('thread_follows')
        .skipLocked(),
    )
    .updateTable('thread_follows')
    .from('behind')
    .whereRef('thread_follows.threadId', '=', 'behind.threadId')
    .where('thread_follows.userId', '=', me)
    .set((row) => ({ lastReadSeq: row.ref('behind.threadSeq') }))
    .returning(['thread_follows.threadId', 'isFollowing', 'thread_follows.lastReadSeq', 'readVersion'])
    .returning(['before', 'channelId'])
    .execute()
  return moved.map((cursor) => ({ ...cursor, ...NOTHING_UNREAD }))
}

/** Restores the cursors of channels that were not read or marked since. Returns the ids of those channels. */
export const restoreChannelCursors = (tx: Tx, me: string, channels: (CursorMove & { channelId: string })[]) =>
  restoreCursors(tx, me, 'memberships', 'channelId', channels)

/** Restores the cursors of threads that were not read or marked since. Returns the ids of those threads. */
export async function restoreThreadCursors(tx: Tx, me: string, threads: (CursorMove & { threadId: string })[]) {
  const mine = await tx
    .selectFrom('messages')
    .innerJoin('memberships', 'memberships.channelId', 'messages.channelId')
    .where('memberships.userId', '=', me)
    .where('messages.id', 'in', idList(threads.map(({ threadId }) => threadId)))
    .select('messages.id')
    .execute()
  const ids = new Set(mine.map(({ id }) => id))
  return restoreCursors(
    tx,
    me,
    'thread_follows',
    'threadId',
    threads.filter(({ threadId }) => ids.has(threadId)),
  )
}

async function restoreCursors<Key extends 'channelId' | 'threadId'>(
  tx: Tx,
  me: string,
  table: 'memberships' | 'thread_follows',
  key: Key,
  moves: (CursorMove & Record<Key, string>)[],
): Promise<string[]> {
  const [cursors, id] = [sql.table(table), sql.ref(key)]
  const byId = new Map(moves.map((move) => [move[key], move]))
  const { rows } = await sql<{ id: string }>`
    update ${cursors} cursor set "lastReadSeq" = requested.before, "readVersion" = cursor."readVersion" + 1
    from (
      select requested.* from jsonb_to_recordset(${JSON.stringify([...byId.values()])}::jsonb)
        as requested(${id} uuid, before bigint, "lastReadSeq" bigint, "readVersion" bigint)
      join ${cursors} c using (${id}, "lastReadSeq", "readVersion")
      where c."userId" = ${me} and requested.before < c."lastReadSeq"
      for update of c skip locked
    ) requested
    where cursor.${id} = requested.${id} and cursor."userId" = ${me}
    returning cursor.${id} as id`.execute(tx)
  return rows.map((row) => row.id)
}

/** Ids for an `in` clause; the list may be empty. */
export const idList = (ids: string[]) => sql<string>`(select unnest(${ids}::uuid[]))`
