import { sql, type Transaction } from 'kysely'
import type { Db } from '../db/database.ts'
import type { DB } from '../db/schema.ts'

/** A node that removes touches the channel's row; after this time it must have died, and another one goes on. */
const LEASE_SECONDS = 60

/** What is kept since: days are counted from midnight, UTC, so that a channel is gone through once a day. */
const CUTOFF = sql`date_trunc('day', clock_timestamp())
  - make_interval(days => coalesce(c."retentionDays", w."retentionDays"))`

const IS_LIMITED = sql`coalesce(c."retentionDays", w."retentionDays", 0) > 0`
/** Which holds there are. */
const HOLDS = sql`(select coalesce(md5(string_agg(id::text, ',' order by id)), '') from holds)`
const IS_HELD = sql`exists (select from holds h where h."channelId" = c.id)`
/** Old messages are due, or a removal has to be completed, and no node is at it. */
const IS_DUE = sql`c."deletedAt" is null
  and (c."removingSince" is null or c."removingSince" < clock_timestamp() - make_interval(secs => ${LEASE_SECONDS}))
  and (c.removing is not null or (${IS_LIMITED} and not ${IS_HELD}
    and (c."expiredBefore" is null or c."expiredBefore" < ${CUTOFF})))`

export interface DueChannel {
  id: string
  /** Older messages go; null if nothing more goes, and a removal only has to be completed. */
  cutoff: string | null
  /** The holds of that time. */
  holds: string
}

/** Claims a channel whose old messages are due, for this node alone. Skips those in which somebody writes right now. */
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

/** Whether a channel is due that could be claimed but for somebody who writes in it. */
export async function isAnyDue(db: Db): Promise<boolean> {
  const { rows } = await sql`select from channels c cross join workspace w where ${IS_DUE} limit 1`.execute(db)
  return rows.length > 0
}

/** Whether a channel's messages before `cutoff` are still due, asked in the transaction that removes them. */
export async function isStillDue(tx: Transaction<DB>, channelId: string, cutoff: string): Promise<boolean> {
  // A hold that is placed meanwhile waits for this transaction, and this one for its placement.
  await sql`select pg_advisory_xact_lock_shared(hashtext('holds'))`.execute(tx)
  const { rows } = await sql<{ isDue: boolean }>`
    select ${IS_LIMITED} and not ${IS_HELD} and ${CUTOFF} >= ${cutoff}::timestamptz as "isDue"
    from channels c cross join workspace w where c.id = ${channelId}::uuid and c."deletedAt" is null
  `.execute(tx)
  return rows[0]?.isDue === true
}

/** Whether the holds are still those of the claim: else what was kept has to be gone through again. */
export async function areHoldsUnchanged(tx: Transaction<DB>, { holds }: DueChannel): Promise<boolean> {
  const { rows } = await sql<{ isSame: boolean }>`select ${HOLDS} = ${holds} as "isSame"`.execute(tx)
  return rows[0]?.isSame === true
}

/** Call in the transaction that places or lifts a hold: waits for removals under way, so that nothing goes afterwards. */
export const lockHolds = (tx: Transaction<DB>) => sql`select pg_advisory_xact_lock(hashtext('holds'))`.execute(tx)
