import { type RawBuilder, sql } from 'kysely'
import { DEFAULT_STATUS } from '#contract/users'
import type { Db } from '../db/database.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'

/** Pages hide an expired status on their own; this is for other readers. */
const INTERVAL_MS = 15_000
/** People per statement: each changed row runs triggers, and many schedules end do not disturb at the same time. */
const BATCH = 50

/** Clears expired statuses and do-not-disturb, each once even if nodes do so concurrently. Returns whether there were any. */
export async function endStatuses(db: Db): Promise<boolean> {
  const status = sql`"statusEmoji" = ${DEFAULT_STATUS}, "statusText" = '', "statusUntil" = null`
  const hadStatuses = await endBatches(db, status, sql`"statusUntil" <= now()`)
  const active = sql`availability = 'active', "quietUntil" = null`
  return (await endBatches(db, active, sql`availability = 'quiet' and "quietUntil" <= now()`)) || hadStatuses
}

async function endBatches(db: Db, end: RawBuilder<unknown>, isOver: RawBuilder<unknown>): Promise<boolean> {
  for (let hadAny = false; ; ) {
    // An array, so that it is selected only once.
    const over = sql`array(select id from users where ${isOver} limit ${BATCH} for update skip locked)`
    const { numAffectedRows = 0n } = await sql`update users set ${end} where id = any(${over})`.execute(db)
    hadAny ||= numAffectedRows > 0n
    if (numAffectedRows < BATCH) return hadAny
  }
}

/** One timer for everybody; each node publishes the changed rows to its sockets. */
export const startEndingStatuses = ({ db, log, pollSoon }: { db: Db; log: Logger; pollSoon: () => void }) =>
  startPolling({ intervalMs: INTERVAL_MS, log, failure: 'could not clear expired statuses' }, async () => {
    if (await endStatuses(db)) pollSoon()
    return undefined
  })
