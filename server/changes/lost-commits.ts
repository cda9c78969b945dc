import { sql } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Db } from '../db/database.ts'
import { upTo } from '../process/up-to.ts'

interface Published {
  channelId: string
  rev: number
  /** The messages with this revision; undefined if unknown. */
  messageIds: string[] | undefined
}

export type LostCommits = ReturnType<typeof createLostCommits>

/** Only recent commits can be lost, so checking recently active channels suffices. */
const MAX_CHANNELS = 2_000

/**
 * Detects whether the database lacks commits that this node has published, after a crash, or because a promoted replica had not
 * received them. Revisions alone don't suffice: later changes may have reused the lost ones.
 */
export function createLostCommits(db: Db) {
  /** The last event of each channel. */
  const published = new LRUCache<string, Published>(upTo(MAX_CHANNELS))

  return {
    /** Records an event published on this node. */
    note(event: string, payload: object) {
      const {
        id,
        channelId = id,
        rev,
        messageId,
        parent,
      } = payload as Record<string, unknown> & {
        parent?: { id: string }
      }
      if (event === 'channel:deleted') published.delete(String(channelId))
      if (typeof channelId !== 'string' || typeof rev !== 'number') return
      if (rev <= (published.get(channelId)?.rev ?? 0)) return
      const ids = [messageId ?? id, parent?.id].filter((it) => typeof it === 'string')
      const isMessage = /^(message|reaction|thread):/.test(event)
      // A bare revision; the message that has it is unknown.
      const isUnknown = event === 'channel:rev' || event === 'channel:joined'
      published.set(channelId, { channelId, rev, messageIds: isMessage ? ids : isUnknown ? undefined : [] })
    },
    /** Call at the start of an epoch: revisions of the previous one don't count as lost. */
    forget: () => published.clear(),
    /** @param flushedTo the position of the database's log when this node last read it, if known */
    async found(flushedTo: string | null): Promise<boolean> {
      const { rows } = await sql<{ found: boolean }>`
        with published as (
          select * from jsonb_to_recordset(${JSON.stringify([...published.values()])}::jsonb)
            as event("channelId" uuid, rev bigint, "messageIds" uuid[])
        )
        select ${flushedTo === null ? sql`false` : sql`coalesce(pg_last_wal_replay_lsn() < ${flushedTo}::pg_lsn, false)`}
          or exists (
            select from published p left join channels c on c.id = p."channelId" where c.id is null or c.rev < p.rev)
          or exists (
            select from published p cross join unnest(p."messageIds") as named(id)
            left join messages m on m.id = named.id where m.id is null or m.rev < p.rev)
          or exists (
            select from published p join messages m on m."channelId" = p."channelId" and m.rev = p.rev
            where m.id <> all(p."messageIds"))
          as found`.execute(db)
      return rows[0]?.found ?? false
    },
  }
}
