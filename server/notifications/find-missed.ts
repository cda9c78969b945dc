import { sql, type Transaction } from 'kysely'
import type { MailRule } from '#contract/mail-rules'
import { decideNotification, type NotificationFacts, type NotifyingRule } from '#contract/notification-rule'
import type { DB } from '../db/schema.ts'
import { selectLevel } from '../people/notification-levels.ts'
import { isWanted } from './rules.ts'

const BATCH = 500
/** After a longer pause, older messages are not mailed any more. */
const MAX_AGE_HOURS = 24

/** A person who was not active when a message for them arrived, and has not been since. */
export interface Missed {
  userId: string
  email: string
  rule: Exclude<MailRule, 'digest'>
  /** Whether the first one contains a keyword of theirs, and mentions them in no other way. */
  isKeyword: boolean
  channelId: string
  threadId: string | null
  /** The time of the first missed message. */
  since: string
}

/** The smallest message id of a given time. */
const idFrom = (ms: number) => {
  const hex = Math.max(0, Math.floor(ms)).toString(16).padStart(12, '0')
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`
}

/**
 * Checks each message once it has become old enough, and claims the mails: one per person and conversation until they return.
 * Message ids sort by time, so only these messages are read. The lock on the cursor restricts this to one node.
 * @param active the people who are currently active
 */
export async function claimMissed(
  tx: Transaction<DB>,
  { afterMs, active }: { afterMs: number; active: string[] },
): Promise<{ missed: Missed[]; isComplete: boolean }> {
  const now = sql<number>`extract(epoch from clock_timestamp())::float8 * 1000`
  const { ms } = (await sql<{ ms: number }>`select ${now} as ms`.execute(tx)).rows[0] as { ms: number }
  const end = idFrom(ms - afterMs)
  await tx
    .insertInto('missed_cursor')
    .values({ lastId: end })
    .onConflict((row) => row.doNothing())
    .execute()
  const cursor = await tx.selectFrom('missed_cursor').select('lastId').forUpdate().skipLocked().executeTakeFirst()
  if (!cursor) return { missed: [], isComplete: true }
  const oldest = idFrom(ms - afterMs - MAX_AGE_HOURS * 3_600_000)
  const start = cursor.lastId > oldest ? cursor.lastId : oldest
  const batch = await tx
    .selectFrom('messages')
    .select('id')
    .where('id', '>=', start)
    .where('id', '<', end)
    .orderBy('id')
    .limit(BATCH + 1)
    .execute()
  const isComplete = batch.length <= BATCH
  const next = batch[BATCH]?.id ?? end
  if (next > cursor.lastId) await tx.updateTable('missed_cursor').set({ lastId: next }).execute()
  const ids = batch.slice(0, BATCH).map(({ id }) => id)
  if (ids.length === 0) return { missed: [], isComplete }
  return { missed: await claim(tx, ids, active), isComplete }
}

type MissedRule = Missed['rule']

/** Which mails a notification belongs to. Mail about every message of a channel would be too much. */
const MAIL_RULES: Partial<Record<NotifyingRule, MissedRule>> = {
  direct: 'direct',
  mention: 'mentions',
  group: 'mentions',
  keyword: 'mentions',
  everyone: 'mentions',
  thread: 'threads',
}

/** The first missed message of a person in a conversation that may concern them for one reason. */
interface Candidate
  extends Pick<NotificationFacts, 'isDirect' | 'isReply' | 'followsThread' | 'mention' | 'level'>,
    Omit<Missed, 'rule' | 'isKeyword'> {
  conversationId: string
  /** The rules by which they want mail. */
  wanted: MissedRule[]
}

async function claim(tx: Transaction<DB>, ids: string[], active: string[]): Promise<Missed[]> {
  const missed = new Map<string, Missed & { conversationId: string }>()
  for (const candidate of await readCandidates(tx, ids, active)) {
    const { wanted, userId, email, channelId, threadId, conversationId, since, ...facts } = candidate
    const rule = mailRuleOf({ ...facts, isMuted: false })
    const key = `${userId} ${conversationId}`
    if (rule && wanted.includes(rule) && !missed.has(key))
      missed.set(key, {
        userId,
        email,
        rule,
        isKeyword: facts.mention === 'keyword',
        channelId,
        threadId,
        conversationId,
        since,
      })
  }
  return claimEach(tx, [...missed.values()])
}

/**
 * The mails that a message belongs to, if it would have notified. Do not disturb doesn't matter: mail disturbs nobody, and
 * nothing would be mailed later.
 */
export function mailRuleOf(facts: Omit<NotificationFacts, 'isOwn' | 'isMember' | 'isQuiet'>): MissedRule | undefined {
  const { effect, rule } = decideNotification({ ...facts, isOwn: false, isMember: true, isQuiet: false })
  return effect === 'notify' ? MAIL_RULES[rule] : undefined
}

/**
 * By time, and at the same time the most personal reason first. Leaves out early what never leads to a mail: muted
 * conversations, people who want none, and what was mailed since they were last seen.
 */
async function readCandidates(tx: Transaction<DB>, ids: string[], active: string[]): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`
    with batch as (
      select m.id, m."channelId", m."threadId", m.seq, m."userId" as author, m."createdAt", c.kind
      from messages m join channels c on c.id = m."channelId"
      where m.id = any(${ids}::uuid[]) and m."deletedAt" is null and c."deletedAt" is null
    ), meant as (
      select b.*, m."userId" as reader, null as mention, 1 as weight
      from batch b join memberships m on m."channelId" = b."channelId"
      where b.kind = 'direct' and b."threadId" is null
      union all
      select b.*, m."userId",
        case when n."isKeyword" then 'keyword' when n."userId" is not null then 'name'
          when n."groupId" is not null then 'group' else 'everyone' end,
        case when n."isKeyword" then 4 when n."userId" is not null then 2 when n."groupId" is not null then 3 else 5 end
      from batch b
      join mentions n on n."messageId" = b.id
      join memberships m on m."channelId" = b."channelId"
        and (m."userId" = n."userId" or (n."userId" is null and (n.audience is null or m."userId" = any(n.audience))))
      union all
      select b.*, f."userId", null, 6
      from batch b join thread_follows f on f."threadId" = b."threadId" and f."isFollowing"
    ), people as materialized (
      select u.id, u.email, last_active(u.id) as seen, array(
        select r.rule from unnest(${[...new Set(Object.values(MAIL_RULES))]}::text[]) r (rule)
        where ${isWanted('u.id', sql.ref('r.rule'))}
      ) as wanted
      from (select distinct reader from meant) r join users u on u.id = r.reader
      where not u.id = any(${active}::text[]) and u."emailVerified" and u."deactivatedAt" is null
        and (u."guestUntil" is null or u.role <> 'guest' or u."guestUntil" > clock_timestamp())
    ), first as (
      select distinct on (u.id, p.conversation, p.weight) u.id as "userId", u.email, u.seen, u.wanted,
        p."channelId", p."threadId", p.conversation as "conversationId", p."createdAt" as since, p.weight, p.mention,
        p.kind, p.kind = 'direct' as "isDirect", p."threadId" is not null as "isReply",
        coalesce(f."isFollowing", false) as "followsThread", m."notificationLevel"
      from (select *, coalesce("threadId", "channelId") as conversation from meant) p
      join people u on u.id = p.reader and u.wanted <> '{}'
      join memberships m on m."channelId" = p."channelId" and m."userId" = p.reader and not m.muted
      left join thread_follows f on f."threadId" = p."threadId" and f."userId" = p.reader
      where p.reader <> p.author and (u.seen is null or u.seen < p."createdAt")
        and p.seq > case when p."threadId" is null then m."lastReadSeq" else coalesce(f."lastReadSeq", 0) end
      order by u.id, p.conversation, p.weight, p."createdAt"
    )
    select first.*, ${selectLevel('first', 'first')} as level from first
    where not exists (
      select from missed_mails k where k."userId" = first."userId" and k."conversationId" = first."conversationId"
        and (first.seen is null or k."mailedAt" >= first.seen)
    )
    order by since, weight
  `.execute(tx)
  return rows
}

/** Claims one mail per person and conversation until they return. */
async function claimEach(tx: Transaction<DB>, missed: (Missed & { conversationId: string })[]): Promise<Missed[]> {
  if (missed.length === 0) return []
  const claimed = await tx
    .insertInto('missed_mails')
    .columns(['userId', 'conversationId'])
    .expression(
      sql`select * from unnest(${missed.map(({ userId }) => userId)}::text[], ${missed.map(({ conversationId }) => conversationId)}::uuid[])`,
    )
    .onConflict((row) =>
      row
        .columns(['userId', 'conversationId'])
        .doUpdateSet({ mailedAt: sql<string>`clock_timestamp()` })
        .where(sql<boolean>`missed_mails."mailedAt" < last_active(missed_mails."userId")`),
    )
    .returning(['userId', 'conversationId'])
    .execute()
  const keys = new Set(claimed.map(({ userId, conversationId }) => `${userId} ${conversationId}`))
  return missed.flatMap(({ conversationId, ...mail }) => (keys.has(`${mail.userId} ${conversationId}`) ? [mail] : []))
}
