import { sql, type Transaction } from 'kysely'
import { limits } from '#contract/limits'
import { namedPeople } from '#contract/mentions'
import { bumpRev } from '../channels/revision.ts'
import { newId } from '../db/ids.ts'
import type { DB } from '../db/schema.ts'
import { conflict, notAParent } from '../errors.ts'
import { channelRoom } from '../realtime/rooms.ts'
import { writeSearchText } from '../search/search-text.ts'
import type { Services } from '../services.ts'
import { publishQuote, type QuoteInChannel, quoteInChannel } from './also-to-channel.ts'
import { attachFiles } from './attachments.ts'
import { requireBroadcast, requireVoice } from './may-post.ts'
import { type Mentions, resolveMentions } from './mentions.ts'
import { type MessageRow, presentMessage } from './message-rows.ts'
import { retryKeyRace, type SendResult } from './store-messages.ts'
import { lockMessage, mentionColumns, readMessage, saveMentions, updateMessageAtRev } from './update-message.ts'

const MAX_REPLIES_SEARCHED = 100

interface NewReply {
  channelId: string
  parentId: string
  content: string
  clientId: string | null
  fileIds: string[]
  /** Whether the channel is to show it as well. */
  alsoToChannel?: boolean | undefined
}

export interface ReplyResult extends SendResult {
  parent: MessageRow
  inChannel?: QuoteInChannel | undefined
}

/**
 * Stores a reply and publishes it with its parent: both share one revision and one event.
 * @throws AppError 400 `not_a_parent` for a reply to a reply, 404, 409 `client_id_reused`, 409 `deleted` for a deleted
 * message without replies
 */
export async function sendToThread(services: Services, me: string, newReply: NewReply): Promise<ReplyResult> {
  const { channelId, content } = newReply
  const mentions = await resolveMentions(services, me, channelId, content)
  await requireBroadcast(services, me, channelId, mentions, newReply.clientId)
  return retryKeyRace(() =>
    services.writer.change(
      channelId,
      (tx) => storeReply(tx, me, newReply, mentions),
      (stored) => stored.isNew && publishReply(services, stored),
    ),
  )
}

/** Stores a reply within a larger transaction. */
export async function storeReply(
  tx: Transaction<DB>,
  me: string,
  newReply: NewReply,
  mentions: Mentions | null,
): Promise<ReplyResult> {
  const { channelId, parentId, content, clientId, fileIds, alsoToChannel } = newReply
  const { message: parent } = await lockMessage(tx, me, channelId, parentId)
  const stored = clientId === null ? undefined : await findByKey(tx, me, clientId)
  if (stored && stored.threadId !== parentId) throw conflict('client_id_reused', 'errors.clientIdReused')
  if (stored) return { message: await readMessage(tx, stored.id), parent, isNew: false }
  await requireVoice(tx, me, channelId, 'reply')
  if (parent.threadId) throw notAParent()
  if (parent.deletedAt && parent.lastReplyAt === null) throw conflict('deleted', 'errors.messageDeleted')

  const { rev } = await bumpRev(tx, channelId)
  const now = sql<string>`clock_timestamp()`
  // Taken under the lock, so that times are in the order of `seq`. A reply's `createdAt` equals its parent's `lastReplyAt`.
  const { seq, createdAt } = await tx
    .updateTable('messages')
    .set({
      rev,
      updatedAt: now,
      lastReplyAt: now,
      threadSeq: sql`"threadSeq" + 1`,
      replyCount: sql`"replyCount" + 1`,
      lastRepliers: sql`(array_prepend(${me}, array_remove("lastRepliers", ${me})))[1:${sql.lit(limits.repliers)}]`,
    })
    .where('id', '=', parentId)
    .returning((row) => ['threadSeq as seq', row.ref('lastReplyAt').$notNull().as('createdAt')])
    .executeTakeFirstOrThrow()
  const id = newId()
  const position = { channelId, threadId: parentId, seq, rev, createdAt, updatedAt: createdAt }
  await tx
    .insertInto('messages')
    .values({ id, ...position, userId: me, content, clientId, ...mentionColumns(mentions) })
    .execute()
  const reply = await attachFiles(tx, await readMessage(tx, id), fileIds)
  await writeSearchText(tx, reply)
  if (mentions) await saveMentions(tx, reply, mentions)
  await addFollowers(tx, parent, reply)
  const inChannel = alsoToChannel ? await quoteInChannel(tx, reply, mentions) : undefined
  return { message: reply, parent: await readMessage(tx, parentId), inChannel, isNew: true }
}

const findByKey = (tx: Transaction<DB>, userId: string, clientId: string) =>
  tx
    .selectFrom('messages')
    .select(['id', 'threadId'])
    .where('userId', '=', userId)
    .where('clientId', '=', clientId)
    .executeTakeFirst()

/**
 * Makes the author of a reply and the users it mentions follow the thread, with earlier replies read. The first reply also adds
 * the parent's author and the users mentioned there. Users who unfollowed follow again only if they reply or are mentioned.
 */
async function addFollowers(tx: Transaction<DB>, parent: MessageRow, reply: MessageRow) {
  const mentioned = namedPeople(reply.mentions).filter((userId) => userId !== reply.userId)
  await addFollowersAt(tx, reply, [reply.userId], reply.seq)
  await addFollowersAt(tx, reply, mentioned, reply.seq - 1)
  if (reply.seq > 1) return
  const initial = new Set([parent.userId, ...namedPeople(parent.mentions)])
  await tx
    .insertInto('thread_follows')
    .values([...initial].map((userId) => ({ threadId: parent.id, userId })))
    .onConflict((oc) => oc.doNothing())
    .execute()
}

/** Makes users whom an edited reply newly mentions follow its thread. */
export async function followMentioned(tx: Transaction<DB>, before: MessageRow, after: MessageRow) {
  const previous = new Set([after.userId, ...namedPeople(before.mentions)])
  const added = namedPeople(after.mentions).filter((userId) => !previous.has(userId))
  await addFollowersAt(tx, after, added, after.seq - 1)
}

/** Existing followers keep their cursor, but their own reply counts as read. */
async function addFollowersAt(tx: Transaction<DB>, reply: MessageRow, userIds: string[], lastReadSeq: number) {
  const { threadId } = reply
  if (!threadId || userIds.length === 0) return
  await tx
    .insertInto('thread_follows')
    .values(userIds.map((userId) => ({ threadId, userId, lastReadSeq })))
    .onConflict((oc) =>
      oc.columns(['threadId', 'userId']).doUpdateSet({
        isFollowing: true,
        lastReadSeq: sql`case
          when thread_follows."isFollowing" and thread_follows."userId" <> ${reply.userId} then thread_follows."lastReadSeq"
          else greatest(thread_follows."lastReadSeq", excluded."lastReadSeq") end`,
      }),
    )
    .execute()
}

export async function publishReply(services: Services, { message, parent, inChannel }: Omit<ReplyResult, 'isNew'>) {
  const { people, publish } = services
  publish(channelRoom(message.channelId), 'thread:message_created', {
    ...(await presentMessage(people, message)),
    parent: await presentMessage(people, parent),
  })
  if (inChannel) await publishQuote(services, inChannel)
}

/** Updates the reply count and last repliers of a deleted reply's parent, under the same revision. */
export async function removeReplyFromParent(
  tx: Transaction<DB>,
  { threadId, rev }: MessageRow,
): Promise<MessageRow | undefined> {
  if (!threadId) return undefined
  // Enough rows to find the last three repliers in almost every thread.
  const latest = await tx
    .selectFrom('messages')
    .select(['userId', 'createdAt'])
    .where('threadId', '=', threadId)
    .where('deletedAt', 'is', null)
    .orderBy('seq', 'desc')
    .limit(MAX_REPLIES_SEARCHED)
    .execute()
  await updateMessageAtRev(tx, threadId, rev, {
    replyCount: sql`"replyCount" - 1`,
    lastReplyAt: latest[0]?.createdAt ?? null,
    lastRepliers: [...new Set(latest.map(({ userId }) => userId))].slice(0, limits.repliers),
  })
  return readMessage(tx, threadId)
}
