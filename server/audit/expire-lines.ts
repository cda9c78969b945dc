import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'

const INTERVAL_MS = 3_600_000
const FIRST_DELAY_MS = 60_000
const NEXT_BATCH_DELAY_MS = 200
const BATCH_LINES = 1_000

/** `now()` is stable within a statement, unlike `clock_timestamp()`, so an index finds the lines. */
const cutoff = (days: 'auditDays' | 'auditAddressDays') =>
  sql`now() - make_interval(days => (select ${sql.ref(days)} from workspace))`

/** Deletes a batch of lines that are too old. Nodes that do it at the same time take different lines. Returns how many. */
async function deleteOldLines(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`delete from audit_log where id in (
    select id from audit_log where at < ${cutoff('auditDays')} order by at limit ${BATCH_LINES} for update skip locked
  )`.execute(db)
  return Number(numAffectedRows)
}

/** Erases the addresses and user agents of a batch of lines. Returns how many. */
async function eraseOldAddresses(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`update audit_log set address = null, "userAgent" = null where id in (
    select id from audit_log
    where at < ${cutoff('auditAddressDays')} and (address is not null or "userAgent" is not null)
    order by at limit ${BATCH_LINES} for update skip locked
  )`.execute(db)
  return Number(numAffectedRows)
}

/** Applies the ages once to a batch of lines. Returns whether more may remain. */
export async function expireAuditLines(db: Db): Promise<boolean> {
  const deleted = await deleteOldLines(db)
  const erased = await eraseOldAddresses(db)
  return deleted === BATCH_LINES || erased === BATCH_LINES
}

/** Deletes lines of the audit log, and erases their addresses, when they are older than the workspace keeps them. */
export const startExpiringAudit = ({ db, log }: { db: Db; log: Logger }) =>
  startPolling(
    { intervalMs: INTERVAL_MS, firstDelayMs: FIRST_DELAY_MS, log, failure: 'could not expire lines of the audit log' },
    async () => ((await expireAuditLines(db)) ? NEXT_BATCH_DELAY_MS : undefined),
  )
