import { type Kysely, sql, type Transaction } from 'kysely'
import { limits } from '#contract/limits'
import type { Mention } from '#contract/mentions'
import type { Message } from '#contract/messages'
import type { User } from '#contract/users'
import { isoTime } from '../db/database.ts'
import type { DB } from '../db/schema.ts'
import { type AttachedRow, presentFile } from '../files/file-rows.ts'
import type { NameCache } from '../people/name-cache.ts'
import { presentPreviews, type StoredPreview } from './message-previews.ts'
import { sanitizeRow } from './sanitize-row.ts'

/** An emoji's reactions: how many users, and the first of them. */
export interface ReactionRow {
  emoji: string
  count: number
  userIds: string[]
}

/** Reactors listed by name, over all emoji of one message. */
export const MAX_REACTORS_PER_MESSAGE = 300

/** A stored message, with user ids; `presentMessages` adds the names. */
export interface MessageRow
  extends Omit<
    Message,
    'user' | 'reactions' | 'reactionCounts' | 'lastRepliers' | 'mentions' | 'broadcast' | 'files' | 'pin' | 'previews'
  > {
  files: AttachedRow[]
  mentions: Mention[]
  broadcast: Message['broadcast']
  reactions: ReactionRow[]
  lastRepliers: string[]
  pinnedAt: string | null
  pinnedBy: string | null
  previews: StoredPreview[] | null
}

/** Messages and replies. The caller checks access. `messagesFromJson` reads them from inside JSON. */
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
      'messages.createdAt',
      'messages.updatedAt',
      'messages.editedAt',
      'messages.deletedAt',
      'messages.lastReplyAt',
      'messages.pinnedAt',
      'messages.pinnedBy',
      sql<AttachedRow[]>`messages.files`.as('files'),
      sql<StoredPreview[] | null>`messages.previews`.as('previews'),
      sql<Mention[]>`messages.mentions`.as('mentions'),
      sql<Message['broadcast']>`messages.broadcast`.as('broadcast'),
      sql<ReactionRow[]>`messages.reactions`.as('reactions'),
    ])

/**
 * Rows of `selectMessages` inside JSON, where timestamps bypass the column parsers. Having the database format them as the API
 * does would take longer than everything else it does for a page.
 */
export const messagesFromJson = (rows: unknown): MessageRow[] =>
  (rows as MessageRow[]).map((row) => ({
    ...row,
    createdAt: isoTime(row.createdAt),
    updatedAt: isoTime(row.updatedAt),
    editedAt: row.editedAt && isoTime(row.editedAt),
    deletedAt: row.deletedAt && isoTime(row.deletedAt),
    lastReplyAt: row.lastReplyAt && isoTime(row.lastReplyAt),
    pinnedAt: row.pinnedAt && isoTime(row.pinnedAt),
  }))

/** Messages in the shape of the contract. */
export async function presentMessages(
  people: NameCache,
  stored: MessageRow[],
  peopleVersion?: number,
): Promise<Message[]> {
  const rows = stored.map(sanitizeRow).map(withFewerReactors)
  const ids = rows.flatMap(({ userId, lastRepliers, reactions, pinnedBy }) => [
    userId,
    ...lastRepliers,
    ...(pinnedBy === null ? [] : [pinnedBy]),
    ...reactions.flatMap(({ userIds }) => userIds),
  ])
  const userOf = await people.namesOf(ids, peopleVersion)
  return rows.map((row) => ({
    ...withoutPreviews(row),
    user: userOf(row.userId),
    files: row.files.map((file) =>
      presentFile({ ...file, userId: row.userId, channelId: row.channelId, messageId: row.id }),
    ),
    lastRepliers: row.lastRepliers.map(userOf),
    ...presentReactions(row.reactions, userOf),
    ...presentPin(row, userOf),
    ...presentPreviews(row),
  }))
}

const withoutPreviews = ({ previews: _, ...row }: MessageRow) => row

/** Otherwise a page of messages with many reactions by many users could contain tens of megabytes of names. */
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

/** A message that a node of the previous version deleted still has the columns. */
const presentPin = ({ pinnedAt, pinnedBy, deletedAt }: MessageRow, userOf: (id: string) => User) =>
  pinnedAt !== null && pinnedBy !== null && deletedAt === null && { pin: { at: pinnedAt, by: userOf(pinnedBy) } }

const presentReactions = (rows: ReactionRow[], userOf: (id: string) => User) => ({
  reactions: Object.fromEntries(rows.map(({ emoji, userIds }) => [emoji, userIds.map(userOf)])),
  reactionCounts: Object.fromEntries(rows.map(({ emoji, count }) => [emoji, count])),
})
