import { sql, type Transaction } from 'kysely'
import { memberChannel } from '../access/access.ts'
import { presentChannel } from '../channels/channel-rows.ts'
import { lockChannel } from '../channels/revision.ts'
import type { DB } from '../db/schema.ts'
import { AppError, refusedHere } from '../errors.ts'
import { attachFiles } from '../messages/attachments.ts'
import { requireBroadcast } from '../messages/may-post.ts'
import { type Mentions, resolveMentions } from '../messages/mentions.ts'
import { type MessageRow, presentMessage } from '../messages/message-rows.ts'
import { publishReply, storeReply } from '../messages/replies.ts'
import { retryKeyRace, storeMessage } from '../messages/store-messages.ts'
import { readThreadCursor } from '../messages/thread-cursors.ts'
import { channelRoom, userRoom } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { freeFiles, isKeyTaken, newScheduledKey, type ScheduledRow } from './scheduled-rows.ts'

interface Sent {
  message: MessageRow
  /** The parent, if it is a reply. */
  parent?: MessageRow
  /** Whether its author has not read what came before it. */
  isBehind: boolean
}

/**
 * Sends a scheduled message and deletes its row in one transaction, so that it is sent once, by whichever node. Its author may be
 * away: unlike other messages of theirs, it doesn't mark the ones before it as read.
 * @returns undefined if it was sent, changed or cancelled since the row was read, or its author is deactivated
 * @throws AppError why it was refused
 */
export async function sendScheduledMessage(services: Services, row: ScheduledRow): Promise<MessageRow | undefined> {
  const { log, people, publish, writer } = services
  const { id, userId, channelId, content } = row
  const send = async () => {
    const mentions = await resolveMentions(services, userId, channelId, content)
    await requireBroadcast(services, userId, channelId, mentions, null)
    const act = (tx: Transaction<DB>) => store(tx, row, mentions)
    return retryKeyRace(() =>
      writer.change(channelId, act, async (sent) => {
        if (!sent) return
        // First, so that the author's devices don't take their own message as a sign that they have read the others.
        if (sent.isBehind)
          await publishCursor(services, row).catch((err) => log.warn({ err }, 'a read cursor could not be published'))
        if (sent.parent) await publishReply(services, sent.message, sent.parent)
        else publish(channelRoom(channelId), 'message:created', await presentMessage(people, sent.message))
      }),
    )
  }
  const sent = await send().catch(async (error) => {
    throw (await isMember(services, row)) ? error : refusedHere('errors.scheduledNoMember')
  })
  if (sent) publish(userRoom(userId), 'scheduled:changed', { id, hasFailed: false })
  return sent?.message
}

async function store(tx: Transaction<DB>, row: ScheduledRow, mentions: Mentions | null): Promise<Sent | undefined> {
  const { userId, channelId, threadId, content, fileIds } = row
  await lockChannel(tx, channelId)
  if (!(await isActive(tx, userId)) || !(await deleteRow(tx, row))) return undefined
  await freeFiles(tx, row)
  const unread = await readUnread(tx, row)
  const clientId = await freeKey(tx, row)
  if (threadId !== null) {
    const newReply = { channelId, parentId: threadId, content, clientId, fileIds }
    const { message, parent } = await storeReply(tx, userId, newReply, mentions)
    return { message, parent, isBehind: await keepUnread(tx, row, unread) }
  }
  const { message } = await storeMessage(tx, { channelId, userId, content, clientId, mentions })
  return { message: await attachFiles(tx, message, fileIds), isBehind: await keepUnread(tx, row, unread) }
}

/** Locks the author before their row, as everything does that changes what somebody has scheduled. */
const isActive = async (tx: Transaction<DB>, userId: string) => {
  const author = tx.selectFrom('users').select('deactivatedAt').where('id', '=', userId).forKeyShare()
  return (await author.executeTakeFirst())?.deactivatedAt === null
}

/** Deletes the row, unless it is gone or changed. */
const deleteRow = (tx: Transaction<DB>, { id, rev }: ScheduledRow) =>
  tx.deleteFrom('scheduled_messages').where('id', '=', id).where('rev', '=', rev).returning('id').executeTakeFirst()

/** The message's key, or a new one if another message has it: this one was not sent, because its row was there. */
const freeKey = async (tx: Transaction<DB>, { userId, clientId }: ScheduledRow) =>
  (await isKeyTaken(tx, userId, clientId)) ? newScheduledKey() : clientId

/** The position of its author's cursor in the channel or thread, locked, if there is something after it. */
async function readUnread(tx: Transaction<DB>, { userId, channelId, threadId }: ScheduledRow) {
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

/** Moves the cursor, which the message has moved to the end, back there. Returns whether there was something to read. */
async function keepUnread(
  tx: Transaction<DB>,
  { userId, channelId, threadId }: ScheduledRow,
  lastReadSeq: number | undefined,
) {
  if (lastReadSeq === undefined) return false
  const to = { lastReadSeq }
  if (threadId === null)
    await tx
      .updateTable('memberships')
      .set(to)
      .where('channelId', '=', channelId)
      .where('userId', '=', userId)
      .execute()
  else
    await tx
      .updateTable('thread_follows')
      .set(to)
      .where('threadId', '=', threadId)
      .where('userId', '=', userId)
      .execute()
  return true
}

async function publishCursor(services: Services, { userId, channelId, threadId }: ScheduledRow) {
  const { db, publish } = services
  if (threadId !== null) {
    publish(userRoom(userId), 'thread:read', { ...(await readThreadCursor(db, userId, threadId)), channelId })
    return
  }
  const { lastReadSeq, readVersion, unread, mentions, rev } = await presentChannel(services, userId, channelId)
  if (lastReadSeq === undefined || readVersion === undefined || unread === undefined || mentions === undefined) return
  publish(userRoom(userId), 'channel:read', { lastReadSeq, readVersion, unread, mentions, rev, channelId })
}

const isMember = ({ doors }: Services, { userId, channelId }: ScheduledRow) =>
  memberChannel(doors, userId, channelId).then(
    () => true,
    (error) => {
      if (error instanceof AppError && (error.status === 404 || error.code === 'not_a_member')) return false
      throw error
    },
  )
