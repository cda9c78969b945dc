import { type Kysely, sql, type Transaction } from 'kysely'
import type { PushDelivery, PushDevice } from '#contract/push'
import type { DB } from '../db/schema.ts'
import { unauthenticated } from '../errors.ts'
import { deviceOf } from '../text/device-name.ts'
import { DELIVERIES_KEPT, LAST_FIRST, wakeSession } from './push-queue.ts'

/** Browsers that one person can subscribe; the oldest gives way. */
const DEVICES = 20

interface NewSubscription {
  sessionId: string
  userId: string
  endpoint: string
  p256dh: string
  auth: string
  publicKey: string
  /** Left out to keep what was chosen before. */
  hidesText?: boolean | undefined
}

/**
 * Subscribes the browser of a session, in place of an earlier subscription. An address belongs to one browser, so whoever used it
 * before is no longer notified there.
 * @throws AppError 401 if the session has ended
 */
export async function saveSubscription(tx: Transaction<DB>, its: NewSubscription) {
  // One at a time, because each may also take an address from another session.
  await sql`select pg_advisory_xact_lock(hashtext('push_subscriptions'))`.execute(tx)
  await tx
    .deleteFrom('push_subscriptions')
    .where('endpoint', '=', its.endpoint)
    .where('sessionId', '<>', its.sessionId)
    .execute()
  const { numAffectedRows } = await sql`
    insert into push_subscriptions (id, "sessionId", "userId", endpoint, p256dh, auth, "publicKey", "hidesText")
    select gen_random_uuid(), id, "userId", ${its.endpoint}, ${its.p256dh}, ${its.auth}, ${its.publicKey}, ${its.hidesText ?? false}
    from sessions where id = ${its.sessionId} and "userId" = ${its.userId} for key share
    on conflict ("sessionId") do update set endpoint = excluded.endpoint, p256dh = excluded.p256dh, auth = excluded.auth,
      "publicKey" = excluded."publicKey", "hidesText" = coalesce(${its.hidesText ?? null}::boolean, push_subscriptions."hidesText"),
      "failingSince" = null, failures = 0, "retryAt" = null, "claimedUntil" = null
  `.execute(tx)
  if (numAffectedRows === 0n) throw unauthenticated()
  await wakeSession(tx, its.sessionId)
  await sql`
    delete from push_subscriptions where "userId" = ${its.userId} and id in (
      select id from push_subscriptions where "userId" = ${its.userId} and "sessionId" <> ${its.sessionId}
      order by "createdAt" desc, id offset ${sql.lit(DEVICES - 1)}
    )`.execute(tx)
}

/** The subscription of a session. */
export const findSubscription = (db: Kysely<DB>, { userId, sessionId }: { userId: string; sessionId: string }) =>
  db
    .selectFrom('push_subscriptions')
    .select(['id', 'endpoint', 'p256dh', 'auth', 'publicKey', 'hidesText'])
    .where('userId', '=', userId)
    .where('sessionId', '=', sessionId)
    .executeTakeFirst()

/** The browsers of a person that subscribed, newest first, each with its last deliveries. */
export async function readDevices(
  db: Kysely<DB>,
  { userId, sessionId, publicKey }: { userId: string; sessionId: string; publicKey: string },
): Promise<PushDevice[]> {
  const rows = await db
    .selectFrom('push_subscriptions as s')
    .innerJoin('sessions', 'sessions.id', 's.sessionId')
    .select(['s.sessionId', 's.endpoint', 's.hidesText', 's.createdAt', 's.failingSince', 'sessions.userAgent'])
    .select(sql<boolean>`s."publicKey" = ${publicKey}`.as('isValid'))
    .select(
      sql<(PushDelivery & { messageId: string | null; itemId: string | null })[]>`coalesce((
        select jsonb_agg(jsonb_build_object(
          'id', p.id, 'rule', p.rule, 'outcome', p.outcome, 'status', p.status, 'detail', p.detail, 'attempts', p.attempts,
          'messageId', p."messageId", 'itemId', p."itemId",
          'createdAt', ${isoTime('p.createdAt')}, 'finishedAt', ${isoTime('p.finishedAt')}
        ) order by ${LAST_FIRST})
        from (
          select p.* from pushes p where "subscriptionId" = s.id and "finishedAt" is not null
          order by ${LAST_FIRST} limit ${sql.lit(DELIVERIES_KEPT)}
        ) p
      ), '[]')`.as('deliveries'),
    )
    .where('s.userId', '=', userId)
    .where('sessions.expiresAt', '>', sql<string>`now()`)
    .orderBy('s.createdAt', 'desc')
    .orderBy('s.id')
    .execute()
  return rows.map(({ endpoint, userAgent, deliveries, ...row }) => ({
    ...row,
    isCurrent: row.sessionId === sessionId,
    device: deviceOf(userAgent).device,
    service: new URL(endpoint).host,
    deliveries: deliveries.map(({ messageId, itemId, ...delivery }) => ({
      ...delivery,
      kind: messageId ? 'message' : itemId ? 'reminder' : 'test',
    })),
  }))
}

const isoTime = (column: string) => sql`to_char(${sql.ref(column)} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
