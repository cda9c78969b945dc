import { sql } from 'kysely'
import { DEFAULT_STATUS } from '#contract/users'
import type { Db } from '../db/database.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'

/** Pages hide a status by themselves when it ends; this is for what else asks. */
const INTERVAL_MS = 15_000

/** Clears the statuses, and ends the quiet, that are over. Nodes that do it at the same time clear each once. Returns whether there were any. */
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

/** One timer for everybody; each node tells its sockets as the rows change. */
export const startEndingStatuses = ({ db, log, pollSoon }: { db: Db; log: Logger; pollSoon: () => void }) =>
  startPolling({ intervalMs: INTERVAL_MS, log, failure: 'statuses could not be ended' }, async () => {
    if (await endStatuses(db)) pollSoon()
    return undefined
  })
