import { type Kysely, type RawBuilder, sql, type Transaction } from 'kysely'
import type { NotifyingRule } from '#contract/notification-rule'
import type { PushDelivery, pushOutcomes } from '#contract/push'
import { databaseTime } from '../db/clock.ts'
import type { DB } from '../db/schema.ts'

export type PushOutcomeName = (typeof pushOutcomes)[number]

/** Finished deliveries that each subscription keeps. */
export const DELIVERIES_KEPT = 20
/** The order of the log, in SQL: those that ended together are in the order of their messages. */
export const LAST_FIRST = sql`p."finishedAt" desc, p."createdAt" desc, coalesce(p."messageId", p.id) desc`
/** Notifications that wait for one device. Beyond it, the oldest are dropped. */
const MAX_WAITING = 100
/** How long a notification waits, each time, while its person is active in Parley. */
const ACTIVE_WAIT_SECONDS = 30
/** How long a node's claim lasts before another one can take it. Longer than waiting for a turn and sending can take. */
const CLAIM_SECONDS = 150
/** Delay after the first failure; doubled with each further one. */
const RETRY_SECONDS = 10
const MAX_RETRY_SECONDS = 3_600
/** After failing for this long, a subscription is given up. */
const GIVE_UP_DAYS = 14

export interface NewPush {
  userId: string
  messageId?: string
  itemId?: string
  rule?: NotifyingRule
  /** Whether its person is active in Parley at the moment. */
  isActive: boolean
}

/** Queues notifications for all devices of their people, within the transaction of what they tell. */
export async function enqueuePushes(tx: Transaction<DB>, publicKey: string, pushes: readonly NewPush[]) {
  if (pushes.length === 0) return
  await sql`
    insert into pushes (id, "subscriptionId", "messageId", "itemId", rule, "dueAt")
    select gen_random_uuid(), s.id, n.message, n.item, n.rule, greatest(
      clock_timestamp() + make_interval(secs => case when n.active then ${ACTIVE_WAIT_SECONDS} else 0 end), s."retryAt"
    )
    from unnest(
      ${pushes.map(({ userId }) => userId)}::text[], ${pushes.map(({ messageId }) => messageId ?? null)}::uuid[],
      ${pushes.map(({ itemId }) => itemId ?? null)}::uuid[], ${pushes.map(({ rule }) => rule ?? null)}::text[],
      ${pushes.map(({ isActive }) => isActive)}::boolean[]
    ) n ("user", message, item, rule, active)
    join push_subscriptions s on s."userId" = n."user" and s."publicKey" = ${publicKey}
    join sessions on sessions.id = s."sessionId" and sessions."expiresAt" > now()
  `.execute(tx)
  await dropOldest(tx, [...new Set(pushes.map(({ userId }) => userId))])
  const left = pushes.filter(({ isActive }) => !isActive).map(({ userId }) => userId)
  await wakeDevices(tx, sql`"userId" = any(${[...new Set(left)]}::text[]) and "retryAt" is null`)
}

const dropOldest = (tx: Transaction<DB>, userIds: readonly string[]) =>
  sql`
    delete from pushes where id in (
      select id from (
        select p.id, row_number() over (partition by s.id order by p."createdAt" desc, coalesce(p."messageId", p.id) desc) as place
        from push_subscriptions s join pushes p on p."subscriptionId" = s.id and p."finishedAt" is null
        where s."userId" = any(${userIds}::text[])
      ) waiting where place > ${sql.lit(MAX_WAITING)}
    )`.execute(tx)

/** Makes everything that waits for some devices due, so that it is looked at again, in its order. */
const wakeDevices = (db: Kysely<DB>, which: RawBuilder<unknown>) =>
  sql`
    update pushes set "dueAt" = now()
    where "finishedAt" is null and "dueAt" > now() and "subscriptionId" in (select id from push_subscriptions where ${which})
  `.execute(db)

/** A device to which this node may send what is due. */
export interface Claim {
  subscriptionId: string
  userId: string
  /** Until when, which also tells it from later claims. */
  until: string
}

/**
 * Claims devices for which notifications are due, the longest due first. Each has one node at a time, which keeps their order.
 * @param isFailing those whose last delivery failed, or the others
 */
export async function claimDevices(db: Kysely<DB>, limit: number, isFailing: boolean): Promise<Claim[]> {
  const { rows } = await sql<Claim>`
    with waiting as (
      select "subscriptionId" as id, min("dueAt") as since from pushes
      where "finishedAt" is null and "dueAt" <= now() group by "subscriptionId"
    ), due as (
      select s.id from waiting join push_subscriptions s using (id)
      where (s."claimedUntil" is null or s."claimedUntil" <= now()) and (s."retryAt" is null or s."retryAt" <= now())
        and (s.failures > 0) = ${isFailing}
      order by since limit ${limit} for update of s skip locked
    )
    update push_subscriptions set "claimedUntil" = now() + make_interval(secs => ${CLAIM_SECONDS})
    from due where push_subscriptions.id = due.id
    returning push_subscriptions.id as "subscriptionId", "userId", "claimedUntil" as until
  `.execute(db)
  return rows
}

/**
 * In SQL: whether a claim still holds. Another node may have taken over from one that was stopped for minutes, or the browser has
 * subscribed again.
 */
const isHeld = ({ subscriptionId, until }: Claim) => sql<boolean>`exists (
  select from push_subscriptions where id = ${subscriptionId} and "claimedUntil" = ${until}::timestamptz
)`

export const releaseDevice = (db: Kysely<DB>, { subscriptionId, until }: Claim) =>
  db
    .updateTable('push_subscriptions')
    .set({ claimedUntil: null })
    .where('id', '=', subscriptionId)
    .where('claimedUntil', '=', until)
    .execute()

/** Lets notifications of a claim wait while their person is active. */
export async function putOff(db: Kysely<DB>, claim: Claim, ids: readonly string[]) {
  if (ids.length === 0) return
  await db
    .updateTable('pushes')
    .set({ dueAt: sql<string>`clock_timestamp() + make_interval(secs => ${ACTIVE_WAIT_SECONDS})` })
    .where('id', 'in', ids)
    .where('finishedAt', 'is', null)
    .where(isHeld(claim))
    .execute()
}

export interface FinishedPush {
  id: string
  outcome: PushOutcomeName
  status: number | null
  detail: string | null
  /** Whether it was sent, with whatever result. */
  isSent: boolean
}

/** Records how notifications of a claim ended, and keeps only the device's last ones. */
export async function finishPushes(db: Kysely<DB>, claim: Claim, done: readonly FinishedPush[]) {
  if (done.length === 0) return
  const { subscriptionId } = claim
  await sql`
    update pushes set "finishedAt" = clock_timestamp(), outcome = done.outcome,
      status = coalesce(done.status, pushes.status), detail = coalesce(done.detail, pushes.detail),
      attempts = attempts + case when done.sent then 1 else 0 end
    from unnest(
      ${done.map(({ id }) => id)}::uuid[], ${done.map(({ outcome }) => outcome)}::text[],
      ${done.map(({ status }) => status)}::integer[], ${done.map(({ detail }) => detail)}::text[],
      ${done.map(({ isSent }) => isSent)}::boolean[]
    ) done (id, outcome, status, detail, sent)
    where pushes.id = done.id and "finishedAt" is null and ${isHeld(claim)}`.execute(db)
  await trimLog(db, subscriptionId)
  if (done.some(({ outcome }) => outcome === 'delivered')) await noteDelivery(db, subscriptionId)
}

interface Failure {
  pushId: string
  status: number | null
  detail: string | null
  retryAfterSeconds: number | null
}

/**
 * Notes that a notification could not be delivered, and lets everything for its device wait: as long as the push service asks,
 * otherwise longer each time. Gives the device up after failing for long.
 */
export async function noteFailure(
  db: Kysely<DB>,
  claim: Claim,
  { pushId, status, detail, retryAfterSeconds }: Failure,
) {
  const { subscriptionId } = claim
  await sql`
    with failed as (
      update push_subscriptions set failures = failures + 1,
        -- Nothing was sent for long: this may be just the second failure.
        "failingSince" = case when "retryAt" > now() - interval '1 day' then "failingSince" else clock_timestamp() end,
        "retryAt" = clock_timestamp() + make_interval(secs => greatest(
          ${retryAfterSeconds ?? 0}, least(${RETRY_SECONDS} * power(2, least(failures, 20)), ${MAX_RETRY_SECONDS})
        ))
      where id = ${subscriptionId} and ${isHeld(claim)} returning id, "retryAt"
    )
    update pushes set "dueAt" = failed."retryAt",
      attempts = attempts + case when pushes.id = ${pushId} then 1 else 0 end,
      status = case when pushes.id = ${pushId} then ${status}::integer else status end,
      detail = case when pushes.id = ${pushId} then ${detail}::text else detail end
    from failed where "subscriptionId" = failed.id and "finishedAt" is null`.execute(db)
  await db
    .deleteFrom('push_subscriptions')
    .where('id', '=', subscriptionId)
    .where('failingSince', '<', sql<string>`now() - make_interval(days => ${GIVE_UP_DAYS})`)
    .execute()
}

/** Removes a subscription that the push service no longer knows, unless the browser has subscribed anew. */
export const removeSubscription = (
  db: Kysely<DB>,
  { subscriptionId }: Pick<Claim, 'subscriptionId'>,
  endpoint: string,
) => db.deleteFrom('push_subscriptions').where('id', '=', subscriptionId).where('endpoint', '=', endpoint).execute()

/** Records a notification that was sent at once, to see whether they arrive. Removes its subscription if that is gone. */
export async function recordTest(
  db: Kysely<DB>,
  { id: subscriptionId, endpoint }: { id: string; endpoint: string },
  { id, outcome, status, detail }: Omit<FinishedPush, 'isSent'>,
): Promise<PushDelivery> {
  if (outcome === 'gone') await removeSubscription(db, { subscriptionId }, endpoint)
  const at = new Date(databaseTime()).toISOString()
  await sql`
    insert into pushes (id, "subscriptionId", outcome, status, detail, attempts, "createdAt", "finishedAt")
    select ${id}::uuid, id, ${outcome}, ${status}::integer, ${detail}::text, 1, ${at}::timestamptz, ${at}::timestamptz
    from push_subscriptions where id = ${subscriptionId}`.execute(db)
  if (outcome === 'delivered') await noteDelivery(db, subscriptionId)
  await trimLog(db, subscriptionId)
  return { id, kind: 'test', rule: null, outcome, status, detail, attempts: 1, createdAt: at, finishedAt: at }
}

/** The device can be reached, so what waits for it need not wait longer. */
async function noteDelivery(db: Kysely<DB>, subscriptionId: string) {
  const { numUpdatedRows } = await db
    .updateTable('push_subscriptions')
    .set({ failingSince: null, failures: 0, retryAt: null })
    .where('id', '=', subscriptionId)
    .where('failures', '>', 0)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) await wakeDevices(db, sql`id = ${subscriptionId}`)
}

/** A browser that subscribed again gets what waited for the earlier subscription. */
export const wakeSession = (db: Kysely<DB>, sessionId: string) => wakeDevices(db, sql`"sessionId" = ${sessionId}`)

const trimLog = (db: Kysely<DB>, subscriptionId: string) =>
  sql`
    delete from pushes where "subscriptionId" = ${subscriptionId} and "finishedAt" is not null and id not in (
      select id from pushes p where "subscriptionId" = ${subscriptionId} and "finishedAt" is not null
      order by ${LAST_FIRST} limit ${sql.lit(DELIVERIES_KEPT)}
    )`.execute(db)

/** Notifications that wait, for all nodes. */
export async function countWaiting(db: Kysely<DB>): Promise<number> {
  const { count } = await db
    .selectFrom('pushes')
    .select((it) => it.fn.countAll<number>().as('count'))
    .where('finishedAt', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
