import { sql } from 'kysely'
import { DEFAULT_STATUS } from '#contract/users'
import type { Db } from '../db/database.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'

/** Pages hide an expired status on their own; this is for other readers. */
const INTERVAL_MS = 15_000

/** Clears expired statuses and do-not-disturb, each once even if nodes do so concurrently. Returns whether there were any. */
export async function endStatuses(db: Db): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('users')
    .set({ statusEmoji: DEFAULT_STATUS, statusText: '', statusUntil: null })
    .where('statusUntil', '<=', sql<string>`now()`)
    .executeTakeFirst()
  const { numUpdatedRows: quiet } = await db
    .updateTable('users')
    .set({ availability: 'active', quietUntil: null })
    .where('availability', '=', 'quiet')
    .where('quietUntil', '<=', sql<string>`now()`)
    .executeTakeFirst()
  return numUpdatedRows > 0n || quiet > 0n
}

/** One timer for everybody; each node publishes the changed rows to its sockets. */
export const startEndingStatuses = ({ db, log, pollSoon }: { db: Db; log: Logger; pollSoon: () => void }) =>
  startPolling({ intervalMs: INTERVAL_MS, log, failure: 'could not clear expired statuses' }, async () => {
    if (await endStatuses(db)) pollSoon()
    return undefined
  })
