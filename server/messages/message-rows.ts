import { type Kysely, sql, type Transaction } from 'kysely'
import { limits } from '#contract/limits'
import type { Mention } from '#contract/mentions'
import type { Message } from '#contract/messages'
import type { User } from '#contract/users'
import type { DB } from '../db/schema.ts'
import { type AttachedRow, presentFile } from '../files/file-rows.ts'
import type { NameCache } from '../people/name-cache.ts'
import { sanitizeRow } from './sanitize-row.ts'

/** The number of users who reacted with an emoji, and the first of them. */
export interface ReactionRow {
  emoji: string
  count: number
  userIds: string[]
}

/** Listed by name, over all emojis of one message. */
export const MAX_REACTORS_PER_MESSAGE = 300

/** A stored message, with user ids; `presentMessages` adds the names. */
export interface MessageRow
  extends Omit<Message, 'user' | 'reactions' | 'reactionCounts' | 'lastRepliers' | 'mentions' | 'broadcast' | 'files'> {
  files: AttachedRow[]
  mentions: Mention[]
  broadcast: Message['broadcast']
  reactions: ReactionRow[]
  lastRepliers: string[]
}

/** ISO 8601 in UTC with milliseconds, formatted by the database because rows inside JSON skip our timestamp parser. */
const iso = (column: string) =>
  sql`to_char(${sql.ref(`messages.${column}`)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
const time = <C extends string>(column: C) => iso(column).$castTo<string>().as(column)
const timeOrNull = <C extends string>(column: C) => iso(column).$castTo<string | null>().as(column)

/** Messages and replies. The caller checks access. */
export const selectMessages = (db: Kysely<DB> | Transaction<DB>) =>
  db
    .selectFrom('messages')
    .select([
      'messages.id',
      'messages.channelId',
      'messages.threadId',
      'messages.userId',
      'messages.content',
      'messages.clientId',
      'messages.seq',
      'messages.rev',
      'messages.replyCount',
      'messages.lastRepliers',
      time('createdAt'),
      time('updatedAt'),
      timeOrNull('editedAt'),
      timeOrNull('deletedAt'),
      timeOrNull('lastReplyAt'),
      sql<AttachedRow[]>`messages.files`.as('files'),
      sql<Mention[]>`messages.mentions`.as('mentions'),
      sql<Message['broadcast']>`messages.broadcast`.as('broadcast'),
      sql<ReactionRow[]>`messages.reactions`.as('reactions'),
    ])

/** Messages in the shape of the contract. */
export async function presentMessages(
  people: NameCache,
  stored: MessageRow[],
  peopleVersion?: number,
): Promise<Message[]> {
  const rows = stored.map(sanitizeRow).map(withFewerReactors)
  const ids = rows.flatMap(({ userId, lastRepliers, reactions }) => [
    userId,
    ...lastRepliers,
    ...reactions.flatMap(({ userIds }) => userIds),
  ])
  const userOf = await people.namesOf(ids, peopleVersion)
  return rows.map((row) => ({
    ...row,
    user: userOf(row.userId),
    files: row.files.map((file) =>
      presentFile({ ...file, userId: row.userId, channelId: row.channelId, messageId: row.id }),
    ),
    lastRepliers: row.lastRepliers.map(userOf),
    ...presentReactions(row.reactions, userOf),
  }))
}

/** Without this limit, a page of messages with many reactions by many users could hold tens of megabytes of names. */
function withFewerReactors(row: MessageRow): MessageRow {
  let perEmoji: number = limits.reactors
  const listed = () => row.reactions.reduce((sum, { userIds }) => sum + Math.min(userIds.length, perEmoji), 0)
  while (listed() > MAX_REACTORS_PER_MESSAGE) perEmoji--
  if (perEmoji === limits.reactors) return row
  const shorten = (reaction: ReactionRow) => ({ ...reaction, userIds: reaction.userIds.slice(0, perEmoji) })
  return { ...row, reactions: row.reactions.map(shorten) }
}

export async function presentMessage(people: NameCache, row: MessageRow): Promise<Message> {
  const [message] = await presentMessages(people, [row])
  return message as Message
}

const presentReactions = (rows: ReactionRow[], userOf: (id: string) => User) => ({
  reactions: Object.fromEntries(rows.map(({ emoji, userIds }) => [emoji, userIds.map(userOf)])),
  reactionCounts: Object.fromEntries(rows.map(({ emoji, count }) => [emoji, count])),
})
