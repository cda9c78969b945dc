import { sql, type Transaction } from 'kysely'
import type { MailRule } from '#contract/mail-rules'
import type { DB } from '../db/schema.ts'
import { isWanted } from './rules.ts'

const BATCH = 500
/** After a longer pause, older messages are not mailed any more. */
const MAX_AGE_HOURS = 24

/** A person who was not active when a message for them arrived, and has not been since. */
export interface Missed {
  userId: string
  email: string
  rule: Exclude<MailRule, 'digest'>
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
 * @param online the people who are currently active
 */
export async function claimMissed(
  tx: Transaction<DB>,
  { afterMs, online }: { afterMs: number; online: string[] },
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
  return { missed: await claim(tx, ids, online), isComplete }
}

async function claim(tx: Transaction<DB>, ids: string[], online: string[]): Promise<Missed[]> {
  const { rows } = await sql<Missed>`
    with batch as (
      select m.id, m."channelId", m."threadId", m.seq, m."userId" as author, m."createdAt", c.kind
      from messages m join channels c on c.id = m."channelId"
      where m.id = any(${ids}::uuid[]) and m."deletedAt" is null and c."deletedAt" is null
    ), meant as (
      select b.*, m."userId" as reader, 'direct' as rule, 1 as weight
      from batch b join memberships m on m."channelId" = b."channelId"
      where b.kind = 'direct' and b."threadId" is null
      union all
      select b.*, m."userId", 'mentions', 2
      from batch b
      join mentions n on n."messageId" = b.id
      join memberships m on m."channelId" = b."channelId"
        and (m."userId" = n."userId" or (n."userId" is null and (n.audience is null or m."userId" = any(n.audience))))
      where b.kind <> 'direct' or b."threadId" is not null
      union all
      select b.*, f."userId", 'threads', 3
      from batch b join thread_follows f on f."threadId" = b."threadId" and f."isFollowing"
    ), wanted as (
      select distinct on (u.id, p.conversation) u.id as "userId", u.email, p.rule, p."channelId", p."threadId",
        p.conversation, p."createdAt" as since
      from (select *, coalesce("threadId", "channelId") as conversation from meant) p
      join users u on u.id = p.reader
      join memberships m on m."channelId" = p."channelId" and m."userId" = p.reader
      left join thread_follows f on f."threadId" = p."threadId" and f."userId" = p.reader
      where p.reader <> p.author and not m.muted and not u.id = any(${online}::text[])
        and u."emailVerified" and u."deactivatedAt" is null
        and (u."guestUntil" is null or u.role <> 'guest' or u."guestUntil" > clock_timestamp())
        and p.seq > case when p."threadId" is null then m."lastReadSeq" else coalesce(f."lastReadSeq", 0) end
        and coalesce(last_seen(u.id) < p."createdAt", true)
        and ${isWanted('u.id', sql.ref('p.rule'))}
      order by u.id, p.conversation, p."createdAt", p.weight
    ), claimed as (
      insert into missed_mails ("userId", "conversationId") select "userId", conversation from wanted
      on conflict ("userId", "conversationId") do update set "mailedAt" = clock_timestamp()
        where missed_mails."mailedAt" < last_seen(missed_mails."userId")
      returning "userId", "conversationId"
    )
    select w."userId", w.email, w.rule, w."channelId", w."threadId", w.since
    from wanted w join claimed c on c."userId" = w."userId" and c."conversationId" = w.conversation
    order by w.since
  `.execute(tx)
  return rows
}
