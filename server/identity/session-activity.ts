import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Logger } from '../process/logger.ts'
import { startPolling } from '../process/poll.ts'
import type { SocketServer } from '../realtime/rooms.ts'

const FLUSH_INTERVAL_MS = 60_000
const FLUSHES_PER_SWEEP = 60
const EXPIRED = [
  ['sessions', sql`"expiresAt" < now()`],
  ['verifications', sql`"expiresAt" < now()`],
  ['tries', sql`"startedAt" < now() - interval '1 hour'`],
  // The lifetime of the cookie.
  ['known_devices', sql`"lastSeenAt" < now() - interval '400 days'`],
] as const

interface Options {
  db: Db
  io: SocketServer
  log: Logger
}

/** Stores which sessions were used once a minute, and deletes expired rows every hour. */
export function trackSessionActivity({ db, io, log }: Options) {
  let used = new Set<string>()
  let flushes = 0

  async function flush() {
    // A connected socket counts as use, even when it sends nothing.
    for (const { data } of io.of('/').sockets.values()) used.add(data.sessionId)
    const ids = [...used]
    used = new Set()
    if (ids.length === 0) return
    // Lock in the order of ids to avoid deadlocks with other nodes that update the same sessions.
    await sql`
      with used as materialized (select id from sessions where id = any(${ids}::text[]) order by id for no key update)
      update sessions set "lastUsedAt" = clock_timestamp() from used where sessions.id = used.id`.execute(db)
  }

  const failure = 'could not store session activity'
  const stopPolling = startPolling({ intervalMs: FLUSH_INTERVAL_MS, log, failure }, async () => {
    await flush()
    if (++flushes % FLUSHES_PER_SWEEP === 0) await deleteExpired(db)
    return undefined
  })

  return {
    track: (sessionId: string) => void used.add(sessionId),
    flush,
    stop: async () => {
      await stopPolling()
      await flush().catch(() => {})
    },
  }
}

/** Deletes expired rows, except those that another node is deleting or using. */
export async function deleteExpired(db: Db) {
  for (const [table, isExpired] of EXPIRED)
    await sql`
      delete from ${sql.table(table)} where ctid = any(array(
        select ctid from ${sql.table(table)} where ${isExpired} for update skip locked
      ))`.execute(db)
}
