import { sql, type Transaction } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'

/**
 * A node that removes messages touches the channel's row; after this long without, it must have died, and another one continues.
 */
const LEASE_SECONDS = 60

/** The start of the retention period. Days count from midnight UTC, so that each channel is processed once a day. */
const CUTOFF = sql`date_trunc('day', clock_timestamp())
  - make_interval(days => coalesce(c."retentionDays", w."retentionDays"))`

const IS_LIMITED = sql`coalesce(c."retentionDays", w."retentionDays", 0) > 0`
/** Identifies the current set of holds. */
const HOLDS = sql`(select coalesce(md5(string_agg(id::text, ',' order by id)), '') from holds)`
const IS_HELD = sql`exists (select from holds h where h."channelId" = c.id)`
/** Old messages are due or a removal has to be completed, and no node is working on it. */
const IS_DUE = sql`c."deletedAt" is null
  and (c."removingSince" is null or c."removingSince" < clock_timestamp() - make_interval(secs => ${LEASE_SECONDS}))
  and (c.removing is not null or (${IS_LIMITED} and not ${IS_HELD}
    and (c."expiredBefore" is null or c."expiredBefore" < ${CUTOFF})))`

export interface DueChannel {
  id: string
  /** Older messages are removed; null if only a removal has to be completed. */
  cutoff: string | null
  /** The holds at the time of the claim. */
  holds: string
}

/** Claims a channel with due messages for this node alone. Skips channels in which somebody is writing right now. */
export async function claimDueChannel(db: Db): Promise<DueChannel | undefined> {
  const { rows } = await sql<DueChannel>`
    update channels set "removingSince" = clock_timestamp()
    from (
      select c.id, case when ${IS_LIMITED} and not ${IS_HELD} then ${CUTOFF} end as cutoff
      from channels c cross join workspace w
      where ${IS_DUE}
      -- One whose removal fails again and again comes last.
      order by c."removingSince" nulls first limit 1 for no key update of c skip locked
    ) due
    where channels.id = due.id
    returning channels.id, due.cutoff, ${HOLDS} as holds
  `.execute(db)
  return rows[0]
}

/** Whether a channel is due, even if it can't be claimed because somebody is writing in it. */
export async function isAnyDue(db: Db): Promise<boolean> {
  const { rows } = await sql`select from channels c cross join workspace w where ${IS_DUE} limit 1`.execute(db)
  return rows.length > 0
}

/** Whether a channel's messages before `cutoff` are still due. Call it in the transaction that removes them. */
export async function isStillDue(tx: Transaction<DB>, channelId: string, cutoff: string): Promise<boolean> {
  // A hold placed now waits for this transaction, and this one waits for a hold being placed.
  await sql`select pg_advisory_xact_lock_shared(hashtext('holds'))`.execute(tx)
  const { rows } = await sql<{ isDue: boolean }>`
    select ${IS_LIMITED} and not ${IS_HELD} and ${CUTOFF} >= ${cutoff}::timestamptz as "isDue"
    from channels c cross join workspace w where c.id = ${channelId}::uuid and c."deletedAt" is null
  `.execute(tx)
  return rows[0]?.isDue === true
}

/** Whether the holds are still those of the claim; otherwise the kept messages have to be checked again. */
export async function areHoldsUnchanged(tx: Transaction<DB>, { holds }: DueChannel): Promise<boolean> {
  const { rows } = await sql<{ isSame: boolean }>`select ${HOLDS} = ${holds} as "isSame"`.execute(tx)
  return rows[0]?.isSame === true
}

/** Call in the transaction that places or lifts a hold: waits for running removals, so that nothing is removed afterwards. */
export const lockHolds = (tx: Transaction<DB>) => sql`select pg_advisory_xact_lock(hashtext('holds'))`.execute(tx)
