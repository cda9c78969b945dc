import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import { bumpPeopleVersion, deactivate } from '../people/deactivate.ts'
import { startPolling } from '../process/poll.ts'
import type { Services } from '../services.ts'

/** Guests per transaction. All guests of an invite have the same end. */
const BATCH_SIZE = 100

/**
 * Deactivates guests whose time has ended, each on one node. The doors reject them from that moment on; this signs them out, at
 * most one interval later if their time was shortened. Returns a function that stops it.
 */
export function startEndingGuests({ bounds, db, log, pollSoon }: Services) {
  const intervalMs = bounds.guestPollMs
  return startPolling({ intervalMs, log, failure: 'guests whose time has ended could not be signed out' }, async () => {
    const leftMs = await readNextEnd(db)
    if (leftMs === undefined) return undefined
    if (leftMs > 0) return Math.min(Math.ceil(leftMs), intervalMs)
    await db.transaction().execute(async (tx) => {
      await bumpPeopleVersion(tx)
      const ended = await tx
        .selectFrom('users')
        .select('id')
        .where('role', '=', 'guest')
        // Rechecked once locked: another node may have been first, or a guest given more time.
        .where('deactivatedAt', 'is', null)
        // By the database's clock, as everywhere: this node's may differ.
        .where('guestUntil', '<=', sql<string>`clock_timestamp()`)
        .orderBy('guestUntil')
        .limit(BATCH_SIZE)
        .forNoKeyUpdate()
        .execute()
      for (const { id } of ended) await deactivate(tx, id)
    })
    // Every node closes their sockets, and one of them finds new owners for their channels (`repairOwnership`).
    pollSoon()
    return 0
  })
}

/** Milliseconds until the next guest's time ends, by the database's clock; undefined if no guest has an end. */
async function readNextEnd(db: Db): Promise<number | undefined> {
  const next = await db
    .selectFrom('users')
    .select(sql<number>`extract(epoch from "guestUntil" - clock_timestamp())::float8 * 1000`.as('leftMs'))
    .where('role', '=', 'guest')
    .where('guestUntil', 'is not', null)
    .where('deactivatedAt', 'is', null)
    .orderBy('guestUntil')
    .limit(1)
    .executeTakeFirst()
  return next?.leftMs
}
