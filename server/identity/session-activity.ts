import { sql } from 'kysely'
import type { Db } from '../db/database.ts'
import type { Logger } from '../process/logger.ts'
import type { Realtime } from '../realtime.ts'

const MINUTE = 60_000
const HOUR = 60

interface Options {
  db: Db
  io: Realtime
  log: Logger
}

export interface SessionUses {
  note: (sessionId: string) => void
  /** Writes down what was noted. */
  flush: () => Promise<void>
  stop: () => Promise<void>
}

/** Remembers which sessions were used and writes it down once a minute, all in one statement; ended ones go hourly. */
export function noteSessionUses({ db, io, log }: Options): SessionUses {
  let used = new Set<string>()
  let minutes = 0
  let stopped = false
  let timer = setTimeout(beat, MINUTE)

  async function flush() {
    // Who only listens is here, too.
    for (const { data } of io.of('/').sockets.values()) used.add(data.sessionId)
    const ids = [...used]
    used = new Set()
    if (ids.length === 0) return
    await sql`update sessions set "lastUsedAt" = clock_timestamp() where id = any(${ids}::text[])`.execute(db)
  }

  /** What has ended by its own time; nothing looks at it any more. */
  async function sweep() {
    await sql`delete from sessions where "expiresAt" < now()`.execute(db)
    await sql`delete from verifications where "expiresAt" < now()`.execute(db)
    await sql`delete from tries where "startedAt" < now() - interval '1 hour'`.execute(db)
  }

  async function beat() {
    try {
      await flush()
      if (++minutes % HOUR === 0) await sweep()
    } catch (error) {
      if (!stopped) log.warn({ err: error }, 'could not write down which sessions were used')
    }
    if (!stopped) timer = setTimeout(beat, MINUTE)
  }

  return {
    note: (sessionId) => void used.add(sessionId),
    flush,
    stop: async () => {
      stopped = true
      clearTimeout(timer)
      await flush().catch(() => {})
    },
  }
}
