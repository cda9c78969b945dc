import { sql, type Transaction } from 'kysely'
import { presentChannel } from '../channels/channel-rows.ts'
import type { DB } from '../db/schema.ts'
import { userRoom } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { readThreadCursor } from './thread-cursors.ts'

// Storing a message marks what came before it as read for its author, who has it in front of them. Not so for a message that is
// sent while they are elsewhere.

/** Where somebody reads: a channel, or a thread of it. */
interface Place {
  userId: string
  channelId: string
  threadId: string | null
}

/** The position of somebody's cursor, locked, if there is something after it. */
export async function readUnread(tx: Transaction<DB>, { userId, channelId, threadId }: Place) {
  const { rows } = await (threadId === null
    ? sql<{ lastReadSeq: number }>`
        select "lastReadSeq" from memberships m join channels on channels.id = "channelId"
        where "channelId" = ${channelId} and "userId" = ${userId} and "lastReadSeq" < channels.seq for update of m`
    : sql<{ lastReadSeq: number }>`
        select "lastReadSeq" from thread_follows f join messages on messages.id = f."threadId"
        where f."threadId" = ${threadId} and f."userId" = ${userId} and "isFollowing" and "lastReadSeq" < "threadSeq"
        for update of f`
  ).execute(tx)
  return rows[0]?.lastReadSeq
}

/** Moves the cursor, which a message has moved to the end, back. Returns whether there was something to read. */
export async function keepUnread(
  tx: Transaction<DB>,
  { userId, channelId, threadId }: Place,
  lastReadSeq: number | undefined,
) {
  if (lastReadSeq === undefined) return false
  const to = { lastReadSeq }
  const cursor =
    threadId === null
      ? tx.updateTable('memberships').set(to).where('channelId', '=', channelId).where('userId', '=', userId)
      : tx.updateTable('thread_follows').set(to).where('threadId', '=', threadId).where('userId', '=', userId)
  await cursor.execute()
  return true
}

/**
 * Tells the author's devices where their cursor is. Call it before the message is published, so that they don't take it as a sign
 * that its author has read the others. Never rejects.
 */
export async function publishCursor(services: Services, place: Place) {
  const { log } = services
  await publishPosition(services, place).catch((err) => log.warn({ err }, 'a read cursor could not be published'))
}

async function publishPosition(services: Services, { userId, channelId, threadId }: Place) {
  const { db, publish } = services
  if (threadId !== null) {
    publish(userRoom(userId), 'thread:read', { ...(await readThreadCursor(db, userId, threadId)), channelId })
    return
  }
  const { lastReadSeq, readVersion, unread, mentions, rev } = await presentChannel(services, userId, channelId)
  if (lastReadSeq === undefined || readVersion === undefined || unread === undefined || mentions === undefined) return
  publish(userRoom(userId), 'channel:read', { lastReadSeq, readVersion, unread, mentions, rev, channelId })
}
