import { type Kysely, sql } from 'kysely'
import { limits } from '#contract/limits'
import { decideNotification, type NotificationFacts, type NotifyingRule } from '#contract/notification-rule'
import { placeIn, splitQuotes } from '#contract/quotes'
import type { DB } from '../db/schema.ts'
import { selectLevel } from '../people/notification-levels.ts'
import { type Claim, DELIVERIES_KEPT, LAST_FIRST, type PushOutcomeName } from '../push/push-queue.ts'

/** Others in a direct message whose names are shown. */
const NAMES = 3
/** How long somebody counts as active, with the time that passes until it is stored. */
const ACTIVE_MINUTES = limits.idleMinutes + 2
/** Later, a notification would be news of yesterday. */
const MAX_AGE_HOURS = 24
/** How long a notification waits for its person to leave Parley or to read it. */
const MAX_ACTIVE_MINUTES = 30

interface Device {
  endpoint: string
  p256dh: string
  auth: string
  hidesText: boolean
}

/** The message of a notification, or the one that a reminder is about, as far as its person may read it. */
export interface PushMessage {
  id: string
  channelId: string
  threadId: string | null
  seq: number
  authorId: string
  author: string
  content: string
  files: number
  kind: string
  channelName: string
  memberCount: number
  /** The names of others in a direct message. */
  others: string[]
  /** Whether its person may write a reply: in its thread, or in the direct message. */
  mayReply: boolean
}

/** A notification with everything that decides whether and how it is sent, as it is now. */
export interface PushFacts extends Device {
  id: string
  userId: string
  language: string | null
  /** Whether the session and the account still exist. */
  mayReceive: boolean
  rule: NotifyingRule | null
  attempts: number
  isOld: boolean
  isLongActive: boolean
  isQuiet: boolean
  /** Whether they are invisible, so that presence doesn't tell, and were active lately. */
  isSecretlyActive: boolean
  messageId: string | null
  message: PushMessage | null
  isRead: boolean
  /** The most personal way in which the message means its person. */
  mention: NotificationFacts['mention']
  followsThread: boolean
  isMuted: boolean
  level: NotificationFacts['level']
  itemId: string | null
  /** A reminder that is still due; `at` is when it was given. */
  item: { at: string; text: string | null } | null
}

/** Reads what is due for a claimed device, oldest first; nothing if the claim no longer holds. */
export async function readPushes(db: Kysely<DB>, claim: Claim, limit: number): Promise<PushFacts[]> {
  const found = await readFacts(db, claim, limit)
  return withQuoted(db, claim.userId, found)
}

async function readFacts(db: Kysely<DB>, { subscriptionId, until }: Claim, limit: number): Promise<PushFacts[]> {
  const { rows } = await sql<PushFacts>`
    select p.id, p.rule, p.attempts, p."messageId", p."itemId", s.endpoint, s.p256dh, s.auth, s."hidesText",
      u.id as "userId", u.language, sessions."expiresAt" > clock_timestamp() and u."deactivatedAt" is null
        and (u.role <> 'guest' or u."guestUntil" is null or u."guestUntil" > clock_timestamp()) as "mayReceive",
       coalesce(u."quietUntil" > clock_timestamp(), false) as "isQuiet",
      u.availability = 'invisible' and coalesce(last_active(u.id) > clock_timestamp() - make_interval(mins => ${ACTIVE_MINUTES}), false)
        as "isSecretlyActive",
      p."createdAt" < clock_timestamp() - make_interval(hours => ${MAX_AGE_HOURS}) as "isOld",
      p."createdAt" < clock_timestamp() - make_interval(mins => ${MAX_ACTIVE_MINUTES}) as "isLongActive",
      case when m.id is not null then jsonb_build_object(
        'id', m.id, 'channelId', m."channelId", 'threadId', m."threadId", 'seq', m.seq, 'authorId', m."userId", 'author', a.name,
        'content', m.content, 'files', jsonb_array_length(m.files),
        'kind', c.kind, 'channelName', c.name, 'memberCount', c."memberCount",
        'others', case when c.kind = 'direct' then to_jsonb(array(
          select o.name from memberships om join users o on o.id = om."userId"
          where om."channelId" = c.id and om."userId" <> u.id order by o.name limit ${sql.lit(NAMES)}
        )) else '[]' end,
        'mayReply', post_refusal_2(c, u.id, case when c.kind = 'direct' and m."threadId" is null then 'post' else 'reply' end) is null
      ) end as message,
      coalesce(m.seq <= case when m."threadId" is null then ms."lastReadSeq" else coalesce(f."lastReadSeq", 0) end, false)
        as "isRead",
      (
        select case when n."isKeyword" then 'keyword' when n."userId" is not null then 'name'
          when n."groupId" is not null then 'group' else 'everyone' end
        from mentions n where n."messageId" = m.id
          and (n."userId" = u.id or (n."userId" is null and (n.audience is null or u.id = any(n.audience))))
        order by case when n."groupId" is not null then 2 when n."isKeyword" then 3 when n."userId" is not null then 1 else 4 end
        limit 1
      ) as mention,
      coalesce(f."isFollowing", false) as "followsThread", coalesce(ms.muted, false) as "isMuted",
      ${selectLevel('ms', 'c')} as level,
      case when i."remindedAt" is not null and i."doneAt" is null and i."dueAt" is not null
        then jsonb_build_object('at', i."remindedAt", 'text', i.text) end as item
    from pushes p
    join push_subscriptions s on s.id = p."subscriptionId"
    join sessions on sessions.id = s."sessionId"
    join users u on u.id = s."userId"
    left join later_items i on i.id = p."itemId" and i."userId" = u.id
    left join (
      messages m join channels c on c.id = m."channelId" and c."deletedAt" is null join users a on a.id = m."userId"
      join memberships ms on ms."channelId" = m."channelId"
    ) on m.id = coalesce(p."messageId", i."messageId") and m."deletedAt" is null and ms."userId" = u.id
    left join thread_follows f on f."threadId" = m."threadId" and f."userId" = u.id
    where p."subscriptionId" = ${subscriptionId} and s."claimedUntil" = ${until}::timestamptz and p."finishedAt" is null and p."dueAt" <= now()
    order by p."createdAt", coalesce(p."messageId", p.id) limit ${limit}
  `.execute(db)
  return rows
}

/** Messages that only quote another, such as forwarded ones, show what that says, if their reader may read it. */
async function withQuoted(db: Kysely<DB>, userId: string, found: PushFacts[]): Promise<PushFacts[]> {
  const ids = found.flatMap(({ message }) => (message ? (quotedAlone(message.content)?.messageId ?? []) : []))
  if (ids.length === 0) return found
  const { rows } = await sql<{ id: string; content: string }>`
    select m.id, m.content from messages m join channels c on c.id = m."channelId" join users u on u.id = ${userId}
    where m.id = any(${ids}::uuid[]) and m."deletedAt" is null and c."deletedAt" is null
      and (c.kind = 'public' and u.role <> 'guest'
        or exists (select from memberships ms where ms."channelId" = c.id and ms."userId" = u.id))
  `.execute(db)
  return found.map((its) => {
    const { message } = its
    const quoted = message && rows.find(({ id }) => id === quotedAlone(message.content)?.messageId)
    return message && quoted?.content ? { ...its, message: { ...message, content: quoted.content } } : its
  })
}

/**
 * Messages of which a device was notified, as far as its log goes, and which its person has read elsewhere or can't read any more:
 * the next notification closes theirs. One that only does so can't be sent, because browsers show something for each.
 */
export async function readOutdated(db: Kysely<DB>, { subscriptionId, userId }: Claim): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select p."messageId" as id from pushes p
    left join messages m on m.id = p."messageId" and m."deletedAt" is null
    left join memberships ms on ms."channelId" = m."channelId" and ms."userId" = ${userId}
    left join thread_follows f on f."threadId" = m."threadId" and f."userId" = ${userId}
    where p."subscriptionId" = ${subscriptionId} and p.outcome = 'delivered' and p."messageId" is not null
      and not coalesce(m.seq > case when m."threadId" is null then ms."lastReadSeq" else coalesce(f."lastReadSeq", 0) end, false)
    order by ${LAST_FIRST} limit ${sql.lit(DELIVERIES_KEPT)}
  `.execute(db)
  return rows.map(({ id }) => id)
}

/** The message that a message only quotes. */
export function quotedAlone(content: string) {
  const { quotes, rest } = splitQuotes(content)
  return rest === '' && quotes.length === 1 ? placeIn(quotes[0] ?? '') : undefined
}

export type PushDecision = 'send' | 'wait' | PushOutcomeName

/** What to do with a notification now. `wait`: its person is active in Parley, and may read it there. */
export function decidePush(its: PushFacts, isActive: boolean): PushDecision {
  if (!its.mayReceive) return 'obsolete'
  if (its.isOld) return its.attempts > 0 ? 'failed' : 'obsolete'
  const concerns = its.itemId === null ? ruleNow(its) !== null : its.item !== null
  if (its.messageId !== null && its.isRead) return 'read'
  if (!concerns) return 'obsolete'
  if (its.isQuiet) return 'quiet'
  if (isActive || its.isSecretlyActive) return its.isLongActive ? 'active' : 'wait'
  return 'send'
}

/** By which rule a message would notify its person now, if they want to be disturbed; null for none, and for reminders. */
export function ruleNow({ message, itemId, mention, followsThread, isMuted, level }: PushFacts): NotifyingRule | null {
  if (!message || itemId !== null) return null
  const { effect, rule } = decideNotification({
    isOwn: false,
    isMember: true,
    isDirect: message.kind === 'direct',
    isReply: message.threadId !== null,
    followsThread,
    mention,
    isMuted,
    level,
    isQuiet: false,
  })
  return effect === 'notify' ? rule : null
}
