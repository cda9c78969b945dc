import { sql, type Transaction } from 'kysely'
import { ASSISTANT } from '#contract/ids'
import { isMember } from '../channels/memberships.ts'
import { bumpRev, lockChannel } from '../channels/revision.ts'
import type { DB } from '../db/schema.ts'
import { notFound } from '../errors.ts'
import { type Audience, audiencesOf, type Mentions } from './mentions.ts'
import { type MessageRow, selectMessages } from './message-rows.ts'

/**
 * Locks a message's channel and reads the message, for members and for the assistant.
 * @throws AppError 404 for others, and if the channel was deleted or the message removed
 */
export async function lockMessage(tx: Transaction<DB>, me: string, channelId: string, messageId: string) {
  const channel = await lockChannel(tx, channelId)
  if (me !== ASSISTANT && !(await isMember(tx, channelId, me))) throw notFound('errors.messageNotFound')
  // A removed one leaves no row.
  const message = await selectMessages(tx).where('messages.id', '=', messageId).executeTakeFirst()
  if (!message) throw notFound('errors.messageNotFound')
  return { channel, message }
}

export const readMessage = (tx: Transaction<DB>, messageId: string) =>
  selectMessages(tx).where('messages.id', '=', messageId).executeTakeFirstOrThrow()

/** Updates a message under its channel's next revision. */
export async function updateMessage(tx: Transaction<DB>, message: MessageRow, to: Record<string, unknown>) {
  const { rev } = await bumpRev(tx, message.channelId)
  await updateMessageAtRev(tx, message.id, rev, to)
  return readMessage(tx, message.id)
}

/** Updates a message under a revision that this transaction has already assigned. */
export const updateMessageAtRev = (tx: Transaction<DB>, messageId: string, rev: number, to: Record<string, unknown>) =>
  tx
    .updateTable('messages')
    .set({ ...to, rev, updatedAt: sql`clock_timestamp()` })
    .where('id', '=', messageId)
    .execute()

/**
 * Replaces the rows that count a message's mentions. After an edit, `@here` and groups keep their original audience: the people
 * who were online, or in the group, when the message was sent.
 */
export async function saveMentions(tx: Transaction<DB>, message: MessageRow, mentions: Mentions | null) {
  const previous = await tx
    .deleteFrom('mentions')
    .where('messageId', '=', message.id)
    .returning(['audience', 'groupId', 'isKeyword'])
    .execute()
  if (!mentions) return
  const { id, channelId, threadId, seq, userId } = message
  const { audience } =
    previous.find((row) => row.audience !== null && row.groupId === null && !row.isKeyword) ?? mentions
  const saved = { ...mentions, audience: mentions.broadcast === 'here' ? audience : null }
  await sql`
    insert into mentions ("messageId", "channelId", "threadId", seq, "authorId", "userId", audience)
    select ${id}::uuid, ${channelId}::uuid, ${threadId}::uuid, ${seq}::bigint, ${userId}, mention."userId", mention.audience
    from mention_rows_2(${JSON.stringify(saved)}::jsonb, ${userId}) mention
  `.execute(tx)
  const before = new Map(previous.map((row) => [row.groupId, row.audience]))
  const groups = mentions.groups.map(({ groupId, audience }) => ({
    groupId,
    audience: before.get(groupId) ?? audience,
  }))
  await saveAudiences(tx, message, audiencesOf({ ...mentions, groups }))
}

/** Saves the rows that count mentions of groups, and by keywords. Like that of `@here`, they store their audience. */
export async function saveAudiences(
  tx: Transaction<DB>,
  { id, channelId, threadId, seq, userId }: Pick<MessageRow, 'id' | 'channelId' | 'threadId' | 'seq' | 'userId'>,
  audiences: Audience[],
) {
  if (audiences.length === 0) return
  const position = { messageId: id, channelId, threadId, seq, authorId: userId }
  await tx
    .insertInto('mentions')
    .values(audiences.map((its) => ({ ...position, ...its })))
    .execute()
}

export const mentionColumns = (mentions: Mentions | null) => ({
  mentions: JSON.stringify(mentions?.mentions ?? []),
  broadcast: mentions?.broadcast ?? null,
})
