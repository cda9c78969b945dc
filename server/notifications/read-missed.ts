import { type Kysely, sql } from 'kysely'
import { ASSISTANT } from '#contract/ids'
import type { DB } from '../db/schema.ts'
import { selectLevel } from '../people/notification-levels.ts'
import { type Missed, mailRuleOf } from './find-missed.ts'
import { isWanted } from './rules.ts'

/** Messages per mail; the rest is only mentioned. */
export const MESSAGES_SHOWN = 5

export interface MissedMessage {
  author: string
  content: string
  files: number
}

type Where = Pick<Missed, 'rule' | 'channelId' | 'threadId' | 'since'>

/**
 * A person and their conversation, if a mail about it may still be sent: they have not been active since it was enqueued, are
 * still in the conversation, want it, and may read it. Checked when the mail is sent, which may be days later.
 */
export async function readReader(db: Kysely<DB>, userId: string, { rule, channelId, threadId, since }: Where) {
  const reader = await db
    .selectFrom('users')
    .innerJoin('memberships', 'memberships.userId', 'users.id')
    .innerJoin('channels', 'channels.id', 'memberships.channelId')
    .select(['users.id', 'users.language', 'channels.kind', 'channels.name', 'channels.memberCount'])
    .leftJoin('thread_follows as follow', (join) =>
      join.onRef('follow.userId', '=', 'users.id').on('follow.threadId', 'is not distinct from', threadId),
    )
    .select(['memberships.muted', 'follow.isFollowing', selectLevel('memberships', 'channels').as('level')])
    .where('users.id', '=', userId)
    .where('channels.id', '=', channelId)
    .where('channels.deletedAt', 'is', null)
    .where('users.emailVerified', '=', true)
    .where('users.deactivatedAt', 'is', null)
    .where(sql<boolean>`(users.role <> 'guest' or "guestUntil" is null or "guestUntil" > clock_timestamp())`)
    .where(sql<boolean>`coalesce(last_active(users.id) < ${since}::timestamptz, true)`)
    .where(isWanted('users.id', sql`${rule}::text`))
    .executeTakeFirst()
  if (!reader) return undefined
  const { muted: isMuted, level, isFollowing, ...found } = reader
  const facts = {
    isDirect: found.kind === 'direct',
    isReply: threadId !== null,
    followsThread: isFollowing === true,
    // By name or not: whoever was mentioned by name follows the thread, unless they no longer want to.
    mention: rule === 'mentions' ? 'everyone' : null,
    isMuted,
    level,
  } as const
  return mailRuleOf(facts) === undefined ? undefined : found
}

/** The mail's messages in their current state, without deleted, edited or read ones. Oldest first, one more than shown. */
export async function readMessages(db: Kysely<DB>, userId: string, { rule, channelId, threadId, since }: Where) {
  let messages = db
    .selectFrom('messages')
    .innerJoin('users', 'users.id', 'messages.userId')
    .innerJoin('memberships', (join) =>
      join.onRef('memberships.channelId', '=', 'messages.channelId').on('memberships.userId', '=', userId),
    )
    .leftJoin('thread_follows as follow', (join) =>
      join.onRef('follow.threadId', '=', 'messages.threadId').on('follow.userId', '=', userId),
    )
    .select(['users.name as author', 'messages.content'])
    .select(sql<number>`jsonb_array_length(messages.files)`.as('files'))
    .where('messages.channelId', '=', channelId)
    .where('messages.threadId', threadId === null ? 'is' : '=', threadId)
    .where('messages.deletedAt', 'is', null)
    .where('messages.userId', '<>', userId)
    .where('messages.createdAt', '>=', since)
    .where(
      'messages.seq',
      '>',
      sql<number>`case when messages."threadId" is null then memberships."lastReadSeq" else coalesce(follow."lastReadSeq", 0) end`,
    )
  if (rule === 'mentions')
    messages = messages.where(
      sql<boolean>`exists (
        select from mentions n where n."messageId" = messages.id and n."channelId" = messages."channelId"
          and (n."userId" = ${userId} or (n."userId" is null and (n.audience is null or ${userId} = any(n.audience))))
      )`,
    )
  if (rule === 'threads') messages = messages.where('follow.isFollowing', '=', true)
  const rows: MissedMessage[] = await messages
    .orderBy('messages.seq')
    .limit(MESSAGES_SHOWN + 1)
    .execute()
  return rows
}

/** The names of the other people in a direct message. */
export async function readOthers(db: Kysely<DB>, userId: string, channelId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.userId')
    .select('users.name')
    .where('channelId', '=', channelId)
    .where('users.id', '<>', userId)
    .orderBy('users.name')
    .execute()
  return rows.map(({ name }) => name)
}

export const DIGEST_CONVERSATIONS = 10

/** The conversations with most unread messages, if active in the last week; one more than shown. */
export const readUnread = (db: Kysely<DB>, userId: string) =>
  db
    .selectFrom('memberships')
    .innerJoin('channels', 'channels.id', 'memberships.channelId')
    .select(['channels.id', 'channels.kind', 'channels.name'])
    .select(sql<number>`channels.seq - memberships."lastReadSeq"`.as('unread'))
    .where('memberships.userId', '=', userId)
    .where('channels.deletedAt', 'is', null)
    .where('memberships.muted', '=', false)
    .where('channels.lastMessageAt', '>', sql<string>`clock_timestamp() - interval '7 days'`)
    .whereRef('channels.seq', '>', 'memberships.lastReadSeq')
    .orderBy(sql`channels.kind = 'direct'`, 'desc')
    .orderBy('unread', 'desc')
    .orderBy('channels.id')
    .limit(DIGEST_CONVERSATIONS + 1)
    .execute()

/** A subscriber of the digest, if they still want it and may get it. */
export const readSubscriber = (db: Kysely<DB>, userId: string) =>
  db
    .selectFrom('users')
    .select(['users.id', 'users.language'])
    .where('users.id', '=', userId)
    .where('users.id', '<>', ASSISTANT)
    .where('users.emailVerified', '=', true)
    .where('users.deactivatedAt', 'is', null)
    .where(sql<boolean>`(users.role <> 'guest' or "guestUntil" is null or "guestUntil" > clock_timestamp())`)
    .where(isWanted('users.id', sql`${'digest'}::text`))
    .executeTakeFirst()
