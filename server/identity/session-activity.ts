import { sql } from 'kysely'
import { limits } from '#contract/limits'
import type { Db } from '../db/database.ts'
import type { Presence } from '../people/presence.ts'
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
  presence: Pick<Presence, 'online' | 'active'>
  log: Logger
}

/** Stores once a minute which sessions were used, and whose people were active. Deletes expired rows every hour. */
export function trackSessionActivity({ db, io, presence, log }: Options) {
  let used = new Set<string>()
  /** Sessions whose page was closed by somebody who was not idle. */
  let left = new Set<string>()
  let flushes = 0

  io.on('connection', (socket) => {
    socket.on('disconnect', () => {
      if (!socket.data.isIdle) left.add(socket.data.sessionId)
    })
  })

  async function flush() {
    // A connected socket counts as use, even when it sends nothing.
    const connected = Map.groupBy(io.of('/').sockets.values(), ({ data }) => data.sessionId)
    const ids = [...new Set([...used, ...left, ...connected.keys()])]
    // Pages also call the API while nobody sits at them, and not always the node of their socket.
    const present = new Set(presence.active())
    const idlePeople = presence.online().filter((userId) => !present.has(userId))
    const active = [...new Set([...used].filter((id) => !connected.has(id)).concat([...left]))]
    // They had input within this time, or they would be idle.
    const lately = [...connected].filter(([, sockets]) => sockets.some(({ data }) => !data.isIdle)).map(([id]) => id)
    used = new Set()
    left = new Set()
    if (ids.length === 0) return
    // Lock in the order of ids to avoid deadlocks with other nodes that update the same sessions.
    await sql`
      with used as materialized (select id from sessions where id = any(${ids}::text[]) order by id for no key update)
      update sessions set "lastUsedAt" = clock_timestamp(), "lastActiveAt" = greatest(
        coalesce("lastActiveAt", "createdAt"),
        case when used.id = any(${active}::text[]) and not "userId" = any(${idlePeople}::text[]) then clock_timestamp()
          when used.id = any(${lately}::text[]) then clock_timestamp() - make_interval(mins => ${limits.idleMinutes}) end
      ) from used where sessions.id = used.id`.execute(db)
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
