import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import type { Db } from './db/database.ts'
import { channelRoom, type Publisher } from './realtime.ts'

interface Options extends Publisher {
  db: Db
  log: FastifyBaseLogger
  /** Milliseconds between two looks. */
  every?: number
}

/** Looks overlap by this many seconds, because a later commit can carry an earlier time. */
const OVERLAP = 10

/**
 * Silence is not safety: an event is lost when its process dies between commit and publish. Each node looks which
 * channels changed lately, and tells how far they have come where it told less itself. Answers how to stop.
 */
export function startPulse({ db, log, publish, told, every = 2000 }: Options) {
  let lookedAt = Date.now()
  let stopped = false
  let timer = setTimeout(look, every)

  async function look() {
    const startedAt = Date.now()
    try {
      const seconds = (startedAt - lookedAt) / 1000 + OVERLAP
      const moved = await db
        .selectFrom('channels')
        .select(['id', 'rev', 'seq'])
        .where('changedAt', '>', sql<string>`clock_timestamp() - make_interval(secs => ${seconds})`)
        .where('deletedAt', 'is', null)
        .execute()
      for (const { id: channelId, rev, seq } of moved) {
        if (told(channelId) < rev) publish(channelRoom(channelId), 'channel:rev', { channelId, rev, seq })
      }
      lookedAt = startedAt
    } catch (error) {
      if (!stopped) log.warn({ err: error }, 'could not look for changed channels')
    }
    if (!stopped) timer = setTimeout(look, every)
  }

  return () => {
    stopped = true
    clearTimeout(timer)
  }
}
