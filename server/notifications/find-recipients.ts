import { sql, type Transaction } from 'kysely'
import { PENDING_CONTENT } from '#contract/assistant'
import { ASSISTANT } from '#contract/ids'
import { decideNotification, type NotificationFacts, type NotifyingRule } from '#contract/notification-rule'
import type { DB } from '../db/schema.ts'
import { selectLevel } from '../people/notification-levels.ts'
import { quotedAlone } from './read-push.ts'

export interface Recipient {
  userId: string
  messageId: string
  rule: NotifyingRule
}

/**
 * Takes messages for which nobody has decided yet whom they notify; the transaction that does must also queue the notifications.
 * Answers that the assistant is still writing stay.
 */
export async function takeCandidates(tx: Transaction<DB>, limit: number): Promise<string[]> {
  const { rows } = await sql<{ messageId: string }>`
    delete from push_candidates where "messageId" in (
      select c."messageId" from push_candidates c left join messages m on m.id = c."messageId"
      where not (
        coalesce(m."userId" = ${ASSISTANT} and m.content = ${PENDING_CONTENT} and m."deletedAt" is null, false)
        and m."createdAt" > now() - interval '1 hour'
      )
      order by c."messageId" limit ${limit} for update of c skip locked
    ) returning "messageId"`.execute(tx)
  return rows.map(({ messageId }) => messageId)
}

interface Candidate extends Omit<NotificationFacts, 'isOwn' | 'isMember'> {
  userId: string
  messageId: string
  authorId: string
  channelId: string
  /** Empty unless it may be just a quote: a long text would be read for each person. */
  content: string
}

/** Longer than a message that only quotes another. */
const QUOTE_LENGTH = 400
/** People looked at for several messages at once. A single message may mean more. */
const MAX_CANDIDATES = 20_000

/** Several messages mean too many people to be looked at together. */
export class TooManyCandidates extends Error {}

/**
 * Whom messages notify, by the rule, of the people with a device that subscribed with this key.
 * @throws TooManyCandidates if fewer messages should be looked at
 */
export async function findRecipients(
  tx: Transaction<DB>,
  messageIds: readonly string[],
  publicKey: string,
): Promise<Recipient[]> {
  if (messageIds.length === 0) return []
  const notified = new Map<string, Recipient & Candidate>()
  const candidates = await readCandidates(tx, messageIds, publicKey)
  if (candidates.length > MAX_CANDIDATES && messageIds.length > 1) throw new TooManyCandidates()
  for (const candidate of candidates) {
    const { effect, rule } = decideNotification({ ...candidate, isOwn: false, isMember: true })
    if (effect === 'notify') notified.set(keyOf(candidate), { ...candidate, rule })
  }
  const all = [...notified.values()]
  const repeats = await findRepeats(tx, all)
  return all.filter((it) => !repeats.has(keyOf(it))).map(({ userId, messageId, rule }) => ({ userId, messageId, rule }))
}

const keyOf = ({ userId, messageId }: { userId: string; messageId: string }) => `${userId} ${messageId}`

/**
 * The facts of everybody whom the messages may concern, unless read. By looking at those who are mentioned, follow the thread, or
 * chose every message: a channel's other members are never looked at.
 */
async function readCandidates(tx: Transaction<DB>, messageIds: readonly string[], publicKey: string) {
  const { rows } = await sql<Candidate>`
    with batch as (
      select m.id, m."channelId", m."threadId", m.seq, m."userId" as author, m.content, c.kind
      from messages m join channels c on c.id = m."channelId"
      where m.id = any(${messageIds}::uuid[]) and m."deletedAt" is null and c."deletedAt" is null
    ), meant as (
      select b.id, m."userId" as reader, null as mention, 9 as weight
      from batch b join memberships m on m."channelId" = b."channelId"
      where b.kind = 'direct' and b."threadId" is null
      union all
      select b.id, m."userId",
        case when n."isKeyword" then 'keyword' when n."userId" is not null then 'name'
          when n."groupId" is not null then 'group' else 'everyone' end,
        case when n."isKeyword" then 3 when n."userId" is not null then 1 when n."groupId" is not null then 2 else 4 end
      from batch b
      join mentions n on n."messageId" = b.id
      join memberships m on m."channelId" = b."channelId"
        and (m."userId" = n."userId" or (n."userId" is null and (n.audience is null or m."userId" = any(n.audience))))
      union all
      select b.id, f."userId", null, 9
      from batch b join thread_follows f on f."threadId" = b."threadId" and f."isFollowing"
      union all
      select b.id, m."userId", null, 9
      from batch b join memberships m on m."channelId" = b."channelId" and m."notificationLevel" = 'everything'
      where b.kind <> 'direct' and b."threadId" is null
      union all
      select b.id, m."userId", null, 9
      from batch b join notification_settings s on s.level = 'everything'
      join memberships m on m."channelId" = b."channelId" and m."userId" = s."userId"
      where b.kind <> 'direct' and b."threadId" is null
      union all
      select b.id, m."userId", null, 9
      from workspace w, batch b join memberships m on m."channelId" = b."channelId"
      where w."notificationLevel" = 'everything' and b.kind <> 'direct' and b."threadId" is null
    ), first as (
      select distinct on (p.reader, p.id) p.reader, p.id, p.mention
      from meant p
      where exists (select from push_subscriptions s where s."userId" = p.reader and s."publicKey" = ${publicKey})
      order by p.reader, p.id, p.weight
    ), facts as (
      select p.reader as "userId", p.id as "messageId", p.mention, coalesce(u."quietUntil" > now(), false) as "isQuiet", b.author as "authorId", b."channelId",
        case when length(b.content) <= ${sql.lit(QUOTE_LENGTH)} then b.content else '' end as content,
        b.kind, b.kind = 'direct' as "isDirect", b."threadId" is not null as "isReply",
        coalesce(f."isFollowing", false) as "followsThread", m.muted as "isMuted", m."notificationLevel"
      from first p join batch b on b.id = p.id join users u on u.id = p.reader
      join memberships m on m."channelId" = b."channelId" and m."userId" = p.reader
      left join thread_follows f on f."threadId" = b."threadId" and f."userId" = p.reader
      where p.reader <> b.author and u."deactivatedAt" is null
        and (u.role <> 'guest' or u."guestUntil" is null or u."guestUntil" > clock_timestamp())
        and b.seq > case when b."threadId" is null then m."lastReadSeq" else coalesce(f."lastReadSeq", 0) end
    )
    select facts.*, ${selectLevel('facts', 'facts')} as level from facts order by "messageId"
    limit ${messageIds.length > 1 ? MAX_CANDIDATES + 1 : null}
  `.execute(tx)
  return rows
}

/** Of copies in the channel of a reply that has notified the same person already. */
async function findRepeats(tx: Transaction<DB>, found: (Recipient & Candidate)[]): Promise<Set<string>> {
  const copies = found.flatMap((it) => {
    const place = quotedAlone(it.content)
    return place?.channelId === it.channelId ? [{ ...it, replyId: place.messageId }] : []
  })
  if (copies.length === 0) return new Set()
  const replyIds = [...new Set(copies.map(({ replyId }) => replyId))]
  const replies = await tx
    .selectFrom('messages')
    .leftJoin('pushes', 'pushes.messageId', 'messages.id')
    .leftJoin('push_subscriptions', 'push_subscriptions.id', 'pushes.subscriptionId')
    .select(['messages.id', 'messages.userId as authorId', 'push_subscriptions.userId'])
    .where('messages.id', 'in', replyIds)
    .where('messages.threadId', 'is not', null)
    .execute()
  const isTold = ({ userId, authorId, replyId }: (typeof copies)[number]) =>
    replies.some((reply) => {
      const isSame = reply.id === replyId && reply.authorId === authorId
      return isSame && (reply.userId === userId || found.some((it) => it.messageId === replyId && it.userId === userId))
    })
  return new Set(copies.filter(isTold).map(keyOf))
}
