import type { Transaction } from 'kysely'
import { memberChannel } from '../access/access.ts'
import { lockChannel } from '../channels/revision.ts'
import type { DB } from '../db/schema.ts'
import { AppError, refusedHere } from '../errors.ts'
import { attachFiles } from '../messages/attachments.ts'
import { keepUnread, publishCursor, readUnread } from '../messages/keep-unread.ts'
import { requireBroadcast } from '../messages/may-post.ts'
import { type Mentions, resolveMentions } from '../messages/mentions.ts'
import { type MessageRow, presentMessage } from '../messages/message-rows.ts'
import { publishReply, type ReplyResult, storeReply } from '../messages/replies.ts'
import { retryKeyRace, storeMessage } from '../messages/store-messages.ts'
import { channelRoom, userRoom } from '../realtime/rooms.ts'
import type { Services } from '../services.ts'
import { freeFiles, isKeyTaken, newScheduledKey, type ScheduledRow } from './scheduled-rows.ts'

interface Sent {
  message: MessageRow
  /** If it is a reply. */
  reply?: ReplyResult
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
  const { people, publish, writer } = services
  const { id, userId, channelId, content } = row
  const send = async () => {
    const mentions = await resolveMentions(services, userId, channelId, content)
    await requireBroadcast(services, userId, channelId, mentions, null)
    const act = (tx: Transaction<DB>) => store(tx, row, mentions)
    return retryKeyRace(() =>
      writer.change(channelId, act, async (sent) => {
        if (!sent) return
        // First, so that the author's devices don't take their own message as a sign that they have read the others.
        if (sent.isBehind) await publishCursor(services, row)
        if (sent.reply) await publishReply(services, sent.reply)
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
  const { userId, channelId, threadId, content, fileIds, alsoToChannel } = row
  await lockChannel(tx, channelId)
  if (!(await isActive(tx, userId)) || !(await deleteRow(tx, row))) return undefined
  await freeFiles(tx, row)
  const unread = await readUnread(tx, row)
  const clientId = await freeKey(tx, row)
  if (threadId !== null) {
    const newReply = { channelId, parentId: threadId, content, clientId, fileIds, alsoToChannel }
    const reply = await storeReply(tx, userId, newReply, mentions)
    return { message: reply.message, reply, isBehind: await keepUnread(tx, row, unread) }
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

const isMember = ({ doors }: Services, { userId, channelId }: ScheduledRow) =>
  memberChannel(doors, userId, channelId).then(
    () => true,
    (error) => {
      if (error instanceof AppError && (error.status === 404 || error.code === 'not_a_member')) return false
      throw error
    },
  )
